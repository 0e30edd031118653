create function :api.create_partitions(partition_ids uuid[], queue_ids uuid[], names text[])
returns void
language plpgsql volatile
as $$
-- Promise:  creates the missing partitions, except those that an open transaction is creating: it waits only a moment for each of these,
--           and creates the others. After ten such partitions the rest is left out.
-- Params:   arrays of equal length, each partition once; the caller has locked the queues.
-- Returns:  nothing.
-- Locks:    the new partition_key and partition rows, ascending by id, waiting for a moment only (lock_timeout).
-- Writes:   partition, partition_key
#variable_conflict use_column
begin
    perform :api.insert_claimed(:api.claim_free_partitions(partition_ids, queue_ids, names), partition_ids, queue_ids, names);
end
$$;
