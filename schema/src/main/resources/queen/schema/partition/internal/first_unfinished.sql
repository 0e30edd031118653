create function :api.first_unfinished(committed bigint, tail bigint, finished int8multirange)
returns bigint
language sql immutable
as $$
-- Promise:  returns the first stored offset that is not finished: where delivery to a group continues. Too long to be inlined, so a caller
--           that uses the result several times computes it once, in a subquery with offset 0.
-- Params:   committed of the cursor; the tail of the partition; finished: offsets finished or removed ahead of them, null for none.
-- Returns:  the offset, which may be the head.
-- Locks:    none.
-- Writes:   nothing
select case when finished is null then greatest(committed, tail)
            else coalesce((select upper(r) from unnest(finished) r where r @> greatest(committed, tail)), greatest(committed, tail)) end
$$;
