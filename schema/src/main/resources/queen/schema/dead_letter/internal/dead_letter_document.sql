create function :api.dead_letter_document(dead queen.dead_letter, omitted_bytes int)
returns json
language plpgsql stable
as $$
-- Promise:  returns a dead letter as a JSON document.
-- Params:   dead, omitted_bytes: a row of dead_letters_at.
-- Returns:  {id, transactionId, traceId, partitionId, offset, queue, partition, consumerGroup, errorMessage, reason, retryCount, data,
--           producerSub, headers, createdAt, failedAt, dataBytes}. If the data was omitted, it is null, and dataBytes is its size.
-- Locks:    none.
-- Writes:   nothing
begin
    return (
        select json_build_object(
            'id', f.id, 'transactionId', coalesce(dead.transaction_id, f.transaction_id), 'traceId', f.trace_id,
            'partitionId', dead.partition_id, 'offset', dead.message_offset, 'queue', q.name, 'partition', dead.partition_name,
            'consumerGroup', dead.group_name, 'errorMessage', dead.error, 'reason', dead.reason, 'retryCount', dead.attempts, 'data', f.data,
            'producerSub', f.producer_sub, 'headers', f.headers, 'createdAt', :api.iso_millis(dead.created_at), 'failedAt', :api.iso_millis(dead.failed_at),
            'dataBytes', omitted_bytes)
        from queen.queue q
        left join lateral :api.line_fields(convert_from(dead.line, 'UTF8'), dead.partition_id, dead.message_offset) f on true
        where q.id = dead.queue_id);
end
$$;
