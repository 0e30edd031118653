create function :api.reencrypt_state(of_state uuid, of_partition uuid, of_key text, was bytea, new_value bytea)
returns boolean
language plpgsql volatile
as $$
-- Promise:  replaces the value under the key, if it is still the one that the caller has read.
-- Params:   the state, the partition and the key; the value that was read; the new value, which has the same length.
-- Returns:  whether it was replaced; false if the value was removed, changed, or is locked, as by a cycle.
-- Locks:    the stream_state row, never waiting.
-- Writes:   stream_state
#variable_conflict use_column
begin
    perform from stream_state s
    where s.state_id = of_state and s.partition_id = of_partition and s.key = of_key and s.is_sealed and s.value = was
      and octet_length(new_value) = octet_length(was)
    for update skip locked;
    if not found then
        return false;
    end if;
    update stream_state s set value = new_value where s.state_id = of_state and s.partition_id = of_partition and s.key = of_key;
    return true;
end
$$;
