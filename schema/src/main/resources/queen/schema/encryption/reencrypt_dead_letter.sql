create function :api.reencrypt_dead_letter(
    of_partition uuid, of_group text, of_offset bigint, was bytea, old_error text, new_line bytea, new_error text)
returns boolean
language plpgsql volatile
as $$
-- Promise:  replaces the line and error of a dead letter, if they are still those that the caller has read.
-- Params:   the dead letter; the SHA-256 digest of the line that was read, and the error; the new line and error.
-- Returns:  whether it was replaced; false if the dead letter was removed, changed, or is locked, as by a redrive.
-- Locks:    the dead_letter row, never waiting.
-- Writes:   dead_letter
#variable_conflict use_column
begin
    perform from dead_letter d
    where d.partition_id = of_partition and d.group_name = of_group and d.message_offset = of_offset
      and sha256(d.line) = was and d.error is not distinct from old_error
    for update skip locked;
    if not found then
        return false;
    end if;
    update dead_letter d set line = new_line, error = new_error
    where d.partition_id = of_partition and d.group_name = of_group and d.message_offset = of_offset;
    return true;
end
$$;
