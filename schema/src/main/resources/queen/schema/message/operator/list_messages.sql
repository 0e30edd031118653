create function :api.list_messages(
    queue text, partition text, namespace text, task text, status text, from_at timestamptz, to_at timestamptz,
    page bigint, skipped bigint, scope uuid[] default null)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns a page of messages, newest first, with their headers and without their payloads.
-- Params:   null means any; from_at: null for the last hour; to_at: its whole minute is included; page: the page size; skipped: number of
--           rows before the page; scope: only these queues.
-- Returns:  {messages, mode}. A message with isOmitted has no id, transactionId, traceId, producerSub and headers: they exceed what
--           message_heads reads for a page.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    since       timestamptz := coalesce(from_at, clock_timestamp() - interval '1 hour');
    until       timestamptz := date_trunc('minute', to_at) + interval '1 minute';
    shown       json[];
    partitions  uuid[];
begin
    with listed as materialized (
        select m.*, (row_number() over (order by m.created_at desc, m.partition_id, m.message_offset desc))::int as place
        from (
            select m.*
            from :api.newest_messages(queue, partition, namespace, task, status, since, until, page, skipped, scope) m
            order by m.created_at desc, m.partition_id, m.message_offset desc
            limit page
            offset skipped
        ) m
    ), head as materialized (
        select h.*
        from (
            select array_agg(l.partition_id order by l.place) as partition_ids, array_agg(l.message_offset order by l.place) as message_offsets
            from listed l
        ) k
        cross join lateral :api.message_heads(coalesce(k.partition_ids, '{}'), k.message_offsets) h
    )
    select array_agg(json_build_object(
               'id', h.id, 'transactionId', h.transaction_id, 'partitionId', l.partition_id, 'offset', l.message_offset,
               'queuePath', q.name || '/' || l.partition_name, 'queue', q.name, 'partition', l.partition_name,
               'namespace', q.namespace, 'task', q.task, 'status', l.status, 'queueStatus', l.queue_status,
               'busStatus', json_build_object('consumedBy', l.consumed_by, 'totalGroups', l.total_groups),
               'traceId', h.trace_id, 'producerSub', h.producer_sub, 'headers', h.headers, 'isOmitted', h.index is null,
               'queuePriority', q.priority, 'createdAt', :api.iso_millis(l.created_at), 'leaseExpiresAt', :api.iso_millis(l.lease_until))
               order by l.place),
           array_agg(distinct l.partition_id)
    into shown, partitions
    from listed l
    join queen.queue q on q.id = any (array[l.queue_id])
    left join head h on h.index = l.place;
    return json_build_object('messages', coalesce(array_to_json(shown), '[]'), 'mode', :api.reading_mode(coalesce(partitions, '{}')))::text;
end
$$;
