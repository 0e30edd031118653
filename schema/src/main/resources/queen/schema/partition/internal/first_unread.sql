create function :api.first_unread(committed bigint, tail bigint, acked int8multirange, removed int8multirange)
returns bigint
language sql immutable
as $$
-- Promise:  the first offset a group is still to be given: not before the tail, not finished out of order, not removed. PostgreSQL
--           puts this in the place of the call, so where nothing is out of order it costs no call.
-- Params:   the columns of the cursor and of its partition.
-- Returns:  the offset; it may be the head.
-- Locks:    none.
-- Writes:   nothing
select case
    when acked is null and removed is null then greatest(committed, tail)
    else :api.first_beyond(coalesce(acked, '{}') + coalesce(removed, '{}'), greatest(committed, tail))
end
$$;
