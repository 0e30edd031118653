create function :api.first_unread(committed bigint, tail bigint, acked int8multirange, removed int8multirange)
returns bigint
language sql immutable
as $$
-- Promise:  the first offset a group is still to be given: not before the tail, not finished out of order, not removed.
-- Params:   the columns of the cursor and of its lane.
-- Returns:  the offset; it may be the head.
-- Locks:    none.
-- Writes:   nothing
select case
    when acked is null and removed is null then greatest(committed, tail)
    else coalesce((
        select upper(r) from unnest(coalesce(acked, '{}') + coalesce(removed, '{}')) r where r @> greatest(committed, tail)),
        greatest(committed, tail))
end
$$;
