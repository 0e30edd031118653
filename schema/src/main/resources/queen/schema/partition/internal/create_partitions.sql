create function :api.create_partitions(partition_ids uuid[], queue_ids uuid[], names text[])
returns void
language plpgsql volatile
as $$
-- Promise:  afterwards each partition exists, unless somebody is creating it in a transaction that is still open: that one is not
--           waited for longer than a moment, and keeps no other partition from being created. After ten such partitions the rest is left out.
-- Params:   arrays of equal length, each partition once; queues the caller has locked, so that they stay.
-- Returns:  nothing.
-- Locks:    the new partition_key and partition rows, ascending by id, waiting for a moment only.
-- Writes:   partition, partition_key
#variable_conflict use_column
begin
    perform :api.insert_claimed(:api.claim_free_partitions(partition_ids, queue_ids, names), partition_ids, queue_ids, names);
end
$$;
