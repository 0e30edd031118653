create function :api.unread(first bigint, "end" bigint, acked int8multirange, removed int8multirange)
returns bigint
language sql immutable
as $$
-- Promise:  returns how many offsets from first to end - 1 are neither finished nor removed. PostgreSQL inlines this, so it costs no call
--           if there are no out-of-order acks.
-- Params:   two offsets; the columns of the cursor and of its partition.
-- Returns:  the number, 0 if end is not after first.
-- Locks:    none.
-- Writes:   nothing
select case
    when "end" <= first then 0
    when acked is null and removed is null then "end" - first
    else "end" - first - :api.offsets_in(coalesce(acked, '{}') + coalesce(removed, '{}'), first, "end")
end
$$;
