create function :api.redrive_document(r queen.redrive)
returns json
language sql stable
as $$
-- Promise:  returns a redrive as a JSON document.
-- Params:   the row.
-- Returns:  its parameters and its progress.
-- Locks:    none.
-- Writes:   nothing
select json_build_object(
    'id', r.id, 'status', r.status, 'total', r.total, 'redriven', r.redriven, 'failed', r.refused, 'lastError', r.last_error,
    'waitingFor', case when r.status = 'running' then r.waiting_for end,
    'queue', r.queue_name, 'partition', r.partition_name, 'consumerGroup', r.group_name, 'error', r.error,
    'from', :api.iso_millis(r.from_at), 'to', :api.iso_millis(r.to_at), 'transactionIds', r.transaction_ids,
    'limit', r.letters_max, 'targetQueue', r.target_queue, 'targetPartition', r.target_partition, 'ratePerSecond', r.rate_per_second,
    'createdAt', :api.iso_millis(r.created_at), 'finishedAt', :api.iso_millis(r.finished_at), 'actor', r.actor)
$$;
