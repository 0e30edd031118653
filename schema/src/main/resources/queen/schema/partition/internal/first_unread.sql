create function :api.first_unread(committed bigint, tail bigint, acked int8multirange, removed int8multirange)
returns bigint
language sql immutable
as $$
-- Promise:  returns the first offset to be delivered to a group: not before the tail, not acked out of order, not removed. PostgreSQL
--           inlines this, so it costs no call if there are no out-of-order acks.
-- Params:   the columns of the cursor and of its partition.
-- Returns:  the offset, which may be the head.
-- Locks:    none.
-- Writes:   nothing
select case
    when acked is null and removed is null then greatest(committed, tail)
    else :api.first_not_in(coalesce(acked, '{}') + coalesce(removed, '{}'), greatest(committed, tail))
end
$$;
