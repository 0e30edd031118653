create function :api.dead_letter_document(dead queen.dead_letter)
returns json
language plpgsql stable
as $$
-- Promise:  a dead letter as documents show it.
-- Params:   the row.
-- Returns:  {id, transactionId, traceId, partitionId, offset, queue, partition, consumerGroup, errorMessage, retryCount, data,
--           producerSub, createdAt, failedAt}.
-- Locks:    none.
-- Writes:   nothing
begin
    return (
        select json_build_object(
            'id', f.id, 'transactionId', coalesce(dead.transaction_id, f.transaction_id), 'traceId', f.trace_id,
            'partitionId', dead.partition_id, 'offset', dead.message_offset, 'queue', q.name, 'partition', dead.partition_name,
            'consumerGroup', dead.group_name, 'errorMessage', dead.error, 'retryCount', dead.attempts, 'data', f.data,
            'producerSub', f.producer_sub, 'createdAt', :api.iso_millis(dead.created_at), 'failedAt', :api.iso_millis(dead.failed_at))
        from queen.queue q
        left join lateral :api.line_fields(convert_from(dead.line, 'UTF8')) f on true
        where q.id = dead.queue_id);
end
$$;
