create function :api.reencrypt_segment(of_partition uuid, of_base bigint, was bytea, line_count int, new_body bytea)
returns boolean
language plpgsql volatile
as $$
-- Promise:  replaces the body of a segment by one with the same messages, if it is still the body that the caller has read. Offsets, hashes
--           and times do not change.
-- Params:   the segment; the SHA-256 digest of the body that was read; the number of lines in the new body; the new body.
-- Returns:  whether it was replaced; false if the segment was removed, changed or is locked.
-- Locks:    the segment row, never waiting.
-- Writes:   segment
#variable_conflict use_column
begin
    perform from segment s
    where s.partition_id = of_partition and s.base = of_base and s.count = line_count and sha256(s.body) = was
    for update skip locked;
    if not found then
        return false;
    end if;
    update segment s set body = new_body where s.partition_id = of_partition and s.base = of_base;
    return true;
end
$$;
