create function :api.list_messages(
    queue text, partition text, namespace text, task text, status text, from_at timestamptz, to_at timestamptz,
    page bigint, skipped bigint)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  a page of messages, newest first, with their headers and without their payloads.
-- Params:   null means any; from_at: null for the last hour; to_at: its whole minute counts.
-- Returns:  {messages, mode}.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    since   timestamptz := coalesce(from_at, clock_timestamp() - interval '1 hour');
    until   timestamptz := date_trunc('minute', to_at) + interval '1 minute';
    shown   json[];
    lanes   uuid[];
begin
    select array_agg(json_build_object(
               'id', f.id, 'transactionId', f.transaction_id, 'partitionId', f.partition_id, 'offset', f.message_offset,
               'queuePath', q.name || '/' || f.partition_name, 'queue', q.name, 'partition', f.partition_name,
               'namespace', q.namespace, 'task', q.task, 'status', f.status, 'queueStatus', f.queue_status,
               'busStatus', json_build_object('consumedBy', f.consumed_by, 'totalGroups', f.total_groups),
               'traceId', f.trace_id, 'producerSub', f.producer_sub, 'headers', f.headers, 'queuePriority', q.priority,
               'createdAt', :api.iso_millis(f.created_at), 'leaseExpiresAt', :api.iso_millis(f.lease_until))
               order by f.created_at desc, f.partition_id, f.message_offset desc),
           array_agg(distinct f.partition_id)
    into shown, lanes
    from (
        select m.*
        from :api.newest_messages(queue, partition, namespace, task, status, since, until, page, skipped) m
        order by m.created_at desc, m.partition_id, m.message_offset desc
        limit page
        offset skipped
    ) f
    join queen.queue q on q.id = f.queue_id;
    return json_build_object('messages', coalesce(array_to_json(shown), '[]'), 'mode', :api.reading_mode(coalesce(lanes, '{}')))::text;
end
$$;
