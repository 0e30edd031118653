create function :api.first_unfinished(committed bigint, tail bigint, finished int8multirange)
returns bigint
language sql immutable
as $$
-- Promise:  the first offset that is kept and not finished: where a partition goes on for a group. Too long to be put in the place of the
--           call, so whoever names the result often has it computed once, in a subquery with an offset.
-- Params:   the cursor's place; the partition's tail; what is finished or removed ahead of them, null for nothing.
-- Returns:  the offset, which may be the head.
-- Locks:    none.
-- Writes:   nothing
select case when finished is null then greatest(committed, tail)
            else coalesce((select upper(r) from unnest(finished) r where r @> greatest(committed, tail)), greatest(committed, tail)) end
$$;
