create function :api.show_message(partition_id uuid, transaction_id text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns one message with its payload and its state for each group. If the message is not stored any more, its newest dead
--           letter is shown.
-- Params:   the partition; the transactionId.
-- Returns:  the message; null if there is none. A payload of more than four megabytes is omitted, and payloadBytes is its size.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    m           record;
    dead        record;
    shown       record;
    bytes_max   constant int := 4 << 20;
    mode        jsonb;
    now         timestamptz := clock_timestamp();
begin
    perform :api.select_shard(:api.shard_of(show_message.partition_id));
    select d.queue_id, d.group_name, d.partition_name, d.message_offset, d.created_at, d.error, d.attempts into dead
    from dead_letter d
    where d.partition_id = show_message.partition_id and d.transaction_id = show_message.transaction_id
    order by d.failed_at desc
    limit 1;
    select f.message_offset, f.created_at, f.base into m
    from :api.find_message(show_message.partition_id, show_message.transaction_id) f;
    if found then
        select l.bytes, x.* into shown
        from segment s
        cross join lateral (
            -- The length of a single line is the length of the segment without the line break, known without reading it.
            select s.body as line, octet_length(s.body) - 1 as bytes
            where s.count = 1
            union all
            select v.line, octet_length(v.line)
            from (select convert_to(split_part(convert_from(s.body, 'UTF8'), e'\n', (m.message_offset - s.base + 1)::int), 'UTF8') as line offset 0) v
            where s.count > 1
        ) l
        cross join lateral :api.display_line(l.line, l.bytes, bytes_max) x
        where s.partition_id = show_message.partition_id and s.base = m.base;
    else
        select dead.message_offset as message_offset, dead.created_at as created_at into m;
        select octet_length(d.line) as bytes, x.* into shown
        from dead_letter d
        cross join lateral :api.display_line(d.line, octet_length(d.line), bytes_max) x
        where d.partition_id = show_message.partition_id and d.group_name = dead.group_name and d.message_offset = dead.message_offset;
    end if;

    mode := :api.reading_mode(array[show_message.partition_id])::jsonb;
    return (
        select json_build_object(
            'id', f.id, 'transactionId', f.transaction_id, 'partitionId', show_message.partition_id, 'offset', m.message_offset,
            'queuePath', q.name || '/' || l.name, 'queue', q.name, 'partition', l.name,
            'namespace', q.namespace, 'task', q.task,
            'status', case when s.total_groups = 0 and s.queue_status is null and dead.group_name is not null then 'dead_letter'
                           else s.status end,
            'queueStatus', s.queue_status,
            'busStatus', json_build_object('consumedBy', s.consumed_by, 'totalGroups', s.total_groups),
            'traceId', f.trace_id, 'producerSub', f.producer_sub, 'headers', f.headers, 'queuePriority', q.priority,
            'createdAt', :api.iso_millis(m.created_at), 'leaseExpiresAt', :api.iso_millis(s.lease_until),
            'payload', f.data, 'payloadBytes', case when not shown.is_whole then shown.bytes end, 'isEncrypted', shown.is_encrypted,
            'errorMessage', coalesce(x.error, dead.error), 'retryCount', coalesce(x.attempts, dead.attempts, 0),
            'queueConfig', json_build_object('leaseTime', q.lease_time_s, 'retryLimit', q.retry_limit,
                'retryDelay', q.retry_delay_ms, 'retryBackoff', q.retry_backoff, 'ttl', q.ttl_s, 'priority', q.priority),
            'mode', (mode
                     || jsonb_build_object('consumedByGroups', s.consumed_by))::json,
            'consumerGroups', s.groups)::text
        from :api.line_fields(shown.text, show_message.partition_id, m.message_offset) f
        cross join lateral :message_states(show_message.partition_id, m.message_offset, now) s
        left join partition p on p.id = show_message.partition_id
        join queen.queue q on q.id = coalesce(p.queue_id, dead.queue_id)
        cross join lateral (select coalesce(p.name, dead.partition_name) as name) l
        left join lateral (
            select x.error, x.attempts
            from failure x
            cross join lateral :newest_cursor(x.partition_id, x.group_name) c
            where x.partition_id = show_message.partition_id
              and x.message_offset <= m.message_offset
              and x.message_offset + x.message_count > m.message_offset
              and c.committed <= m.message_offset
              and not coalesce(c.acked @> m.message_offset, false)
            order by x.failed_at desc
            limit 1
        ) x on true);
end
$$;
