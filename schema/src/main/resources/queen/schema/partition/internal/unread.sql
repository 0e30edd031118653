create function :api.unread(first bigint, "end" bigint, acked int8multirange, removed int8multirange)
returns bigint
language sql immutable
as $$
-- Promise:  how many offsets from first to end - 1 are neither finished nor removed. PostgreSQL puts this in the place of the call,
--           so where nothing is out of order it costs no call.
-- Params:   two offsets; the columns of the cursor and of its partition.
-- Returns:  the number, 0 when end is not after first.
-- Locks:    none.
-- Writes:   nothing
select case
    when "end" <= first then 0
    when acked is null and removed is null then "end" - first
    else "end" - first - :api.offsets_in(coalesce(acked, '{}') + coalesce(removed, '{}'), first, "end")
end
$$;
