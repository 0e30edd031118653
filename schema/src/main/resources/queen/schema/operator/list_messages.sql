create function :api.list_messages(
    queue text, partition text, namespace text, task text, status text, from_at timestamptz, to_at timestamptz,
    page bigint, skipped bigint)
returns text
language plpgsql stable
as $$
-- Promise:  a page of messages, newest first, with their headers and without their payloads.
-- Params:   null means any; from_at: null for the last hour; to_at: its whole minute counts.
-- Returns:  {messages, mode}.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        with found as materialized (
            select m.*
            from :api.newest_messages(queue, partition, namespace, task, status, coalesce(from_at, clock_timestamp() - interval '1 hour'),
                date_trunc('minute', to_at) + interval '1 minute', page, skipped) m
        )
        select json_build_object(
            'messages', coalesce((
                select json_agg(json_build_object(
                    'id', f.id, 'transactionId', f.transaction_id, 'partitionId', f.partition_id, 'offset', f.message_offset,
                    'queuePath', q.name || '/' || p.name, 'queue', q.name, 'partition', p.name,
                    'namespace', q.namespace, 'task', q.task, 'status', f.status, 'queueStatus', f.queue_status,
                    'busStatus', json_build_object('consumedBy', f.consumed_by, 'totalGroups', f.total_groups),
                    'traceId', f.trace_id, 'producerSub', f.producer_sub, 'headers', f.headers, 'queuePriority', q.priority,
                    'createdAt', :api.iso_millis(f.created_at), 'leaseExpiresAt', :api.iso_millis(f.lease_until))
                    order by f.created_at desc, f.partition_id, f.message_offset desc)
                from found f
                join partition p on p.id = f.partition_id
                join queen.queue q on q.id = f.queue_id), '[]'),
            'mode', :api.reading_mode(array(select distinct f.partition_id from found f)))::text);
end
$$;
