create function :api.show_message(partition_id uuid, transaction_id text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  one message with its payload and how far each group has come with it. Where the log has let go of it, its newest
--           dead letter speaks for it.
-- Params:   the lane; the transactionId.
-- Returns:  the message; null when there is no such message. A payload of more than four megabytes is not in it: payloadBytes says
--           what it takes.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    m       record;
    dead    record;
    mode    jsonb;
    now     timestamptz := clock_timestamp();
begin
    perform :api.enter(:api.shard_of(show_message.partition_id));
    select d.* into dead
    from dead_letter d
    where d.partition_id = show_message.partition_id and d.transaction_id = show_message.transaction_id
    order by d.failed_at desc
    limit 1;
    select f.message_offset, f.created_at, f.line into m
    from :api.find_message(show_message.partition_id, show_message.transaction_id) f;
    if not found then
        select dead.message_offset as message_offset, dead.created_at as created_at, convert_from(dead.line, 'UTF8') as line into m;
    end if;

    mode := :api.reading_mode(array[show_message.partition_id])::jsonb;
    return (
        select json_build_object(
            'id', f.id, 'transactionId', f.transaction_id, 'partitionId', show_message.partition_id, 'offset', m.message_offset,
            'queuePath', q.name || '/' || l.name, 'queue', q.name, 'partition', l.name,
            'namespace', q.namespace, 'task', q.task,
            'status', case when s.total_groups = 0 and s.queue_status is null and dead.line is not null then 'dead_letter'
                           else s.status end,
            'queueStatus', s.queue_status,
            'busStatus', json_build_object('consumedBy', s.consumed_by, 'totalGroups', s.total_groups),
            'traceId', f.trace_id, 'producerSub', f.producer_sub, 'headers', f.headers, 'queuePriority', q.priority,
            'createdAt', :api.iso_millis(m.created_at), 'leaseExpiresAt', :api.iso_millis(s.lease_until),
            'payload', f.data, 'payloadBytes', case when z.is_large then octet_length(m.line) end, 'isEncrypted', m.line like '%,"isEncrypted":true}',
            'errorMessage', coalesce(x.error, dead.error), 'retryCount', coalesce(x.attempts, dead.attempts, 0),
            'queueConfig', json_build_object('leaseTime', q.lease_time_s, 'retryLimit', q.retry_limit,
                'retryDelay', q.retry_delay_ms, 'retryBackoff', q.retry_backoff, 'ttl', q.ttl_s, 'priority', q.priority),
            'mode', (mode
                     || jsonb_build_object('consumedByGroups', s.consumed_by))::json,
            'consumerGroups', s.groups)::text
        from (select octet_length(m.line) > 4 << 20 as is_large) z
        cross join lateral :api.line_fields(case when z.is_large then :api.line_head(convert_to(left(m.line, 8192), 'UTF8')) else m.line end) f
        cross join lateral :message_states(show_message.partition_id, m.message_offset, now) s
        left join partition p on p.id = show_message.partition_id
        join queen.queue q on q.id = coalesce(p.queue_id, dead.queue_id)
        cross join lateral (select coalesce(p.name, dead.partition_name) as name) l
        left join lateral (
            select x.error, x.attempts
            from failure x
            cross join lateral (
                select v.* from cursor v
                where v.partition_id = x.partition_id and v.group_name = x.group_name
                order by v.generation desc limit 1
            ) c
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
