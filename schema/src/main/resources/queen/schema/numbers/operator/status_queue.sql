create function :api.status_queue(queue text, "limit" bigint, after text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns one queue, a page of its partitions by name, and its totals over all partitions.
-- Params:   the name of the queue; limit: the page size; after: only partitions with a greater name, null for the first page.
-- Returns:  {queue, partitions, totals, pagination: {limit, after, next}}; null if the queue does not exist. completed and deadLetter count
--           every group; failed: for a partition messages that wait for a retry, for a queue the lifetime total of failed acks.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    q           queen.queue;
    totals      json;
    listed      json;
    last_name   text;
    page        uuid[];
    part        record;
    here        record;
    names       text[] := '{}';
    documents   json[] := '{}';
begin
    select x.* into q from queen.queue x where x.name = status_queue.queue;
    if not found then
        return null;
    end if;

    page := array(select k.id from :api.partition_page(q.id, coalesce(status_queue.after, ''), status_queue."limit") k);
    for part in select * from :api.shard_parts(page) loop
        perform :api.select_shard(part.shard);
        with page as (
            select p.id, p.name, p.head, p.tail, p.removed, p.last_push_at, p.created_at,
                   :api.unread(p.tail, p.head, null, p.removed) as total
            from unnest(part.indexes) as k (index)
            cross join lateral :newest_partition(page[k.index]) p
        ), described as (
            select p.*, r.last_ack_at, coalesce(r.acked, 0) as completed,
                   json_build_object(
                       'total', p.total,
                       'pending', greatest(coalesce(r.unfinished, p.total) - coalesce(r.leased, 0), 0),
                       'processing', coalesce(r.leased, 0), 'completed', coalesce(r.acked, 0),
                       'failed', coalesce(r.failing, 0), 'deadLetter', coalesce(r.dead, 0)) as amounts
            from page p
            cross join lateral (
                select max(:api.unread(f.first, p.head, c.acked, p.removed)) as unfinished,
                       max(:api.unread(f.first, c.lease_end, c.acked, p.removed)) filter (where c.lease_until > now()) as leased,
                       sum(c.completed_count) as acked, sum(c.dead_count) as dead, max(c.last_ack_at) as last_ack_at,
                       sum((select sum(:api.unread(greatest(x.message_offset, f.first), x.message_offset + x.message_count, c.acked, p.removed))
                            from failure x where c.is_failing and x.partition_id = k.partition_id
                            and x.group_name = k.group_name)) as failing
                from cursor_key k
                cross join lateral :newest_cursor(k.partition_id, k.group_name) c
                cross join lateral (select :api.first_unread(c.committed, p.tail, c.acked, p.removed) as first) f
                where k.partition_id = p.id
            ) r
        )
        select array_agg(t.name) as names, array_agg(json_build_object(
                   'id', t.id, 'name', t.name, 'createdAt', :api.iso_millis(t.created_at),
                   'messages', t.amounts, 'stats', t.amounts,
                   'cursor', json_build_object('totalConsumed', t.completed, 'batchesConsumed', 0),
                   'lastActivity', :api.iso_millis(greatest(t.last_push_at, t.last_ack_at)),
                   'oldestMessage', case when t.head > t.tail then :api.iso_millis((
                       select s.created_at from segment s where s.partition_id = t.id and s.base <= t.tail
                       order by s.base desc limit 1)) end,
                   'newestMessage', case when t.head > t.tail then :api.iso_millis(t.last_push_at) end)) as documents
        into here
        from described t;
        names := names || here.names;
        documents := documents || here.documents;
    end loop;
    perform :api.select_shard('queen');
    select json_agg(d.document order by d.name), case when count(*) = status_queue."limit" then max(d.name) end
    into listed, last_name
    from unnest(names, documents) as d (name, document);
    select json_build_object(
               'total', coalesce(t.total, 0), 'pending', coalesce(t.pending, 0), 'processing', coalesce(t.processing, 0),
               'completed', coalesce(l.ack_success, 0), 'failed', coalesce(l.ack_failed, 0),
               'deadLetter', coalesce(l.dead_letters, 0))
    into totals
    from (select) one
    left join queue_depth t on t.queue_id = q.id
    left join queen.queue_lifetime l on l.queue_id = q.id;

    return json_build_object(
        'queue', json_build_object(
            'id', q.id, 'name', q.name, 'namespace', q.namespace, 'task', q.task, 'priority', q.priority,
            'createdAt', :api.iso_millis(q.created_at),
            'config', json_build_object(
                'leaseTime', q.lease_time_s, 'retryLimit', q.retry_limit, 'retryDelay', q.retry_delay_ms,
                'retryBackoff', q.retry_backoff, 'ttl', q.ttl_s,
                'maxQueueSize', q.max_size, 'deadLetterQueue', q.dead_letter_queue)),
        'partitions', coalesce(listed, '[]'),
        'totals', json_build_object(
            'messages', totals, 'total', totals -> 'total', 'pending', totals -> 'pending', 'processing', totals -> 'processing',
            'completed', totals -> 'completed', 'failed', totals -> 'failed', 'deadLetter', totals -> 'deadLetter'),
        'pagination', json_build_object('limit', status_queue."limit", 'after', status_queue.after, 'next', last_name))::text;
end
$$;
