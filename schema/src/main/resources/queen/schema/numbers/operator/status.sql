create function :api.status(queue text, namespace text, task text, from_at timestamptz, to_at timestamptz,
    scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns the activity of the servers in a time range, and the present state.
-- Params:   queue, namespace, task: null for any; the range, by default the last hour. scope: only these queues, and nothing about the
--           servers; null for all.
-- Returns:  {timeRange, bucketMinutes, pointCount, throughput (newest first), queues (at most 100, the most consumed), messages, leases,
--           deadLetterQueue, workers, errors, refusals (at most 50, most messages first), statsAge}; in throughput, *LagMs: the age of
--           messages at delivery; oldestUnreadSeconds: for how long the oldest unread message had been due; depth: the maximum number
--           of unfinished messages, the sum over the queues.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    until       timestamptz := coalesce(to_at, now());
    since       timestamptz := coalesce(from_at, until - interval '1 hour');
    width       int := :api.bucket_minutes(since, until);
    ids         uuid[] := :api.matching_queues(queue, namespace, task, scope);
    sums        record;
    amounts     record;
    held        record;
    dead        json;
begin
    with counted as (
        select * from :api.counts_in(since, until, width, ids, null)
    ), gauge as (
        select g.at, g.name, avg(g.avg) as avg, sum(g.avg) as all_servers, min(g.min) as min, max(g.max) as max
        from :api.gauges_in(since, until, width, case when scope is not null then '{}'::uuid[] end) g
        group by g.at, g.name
    ), measured as (
        select g.at,
               json_object_agg(g.name, g.avg) as avgs, json_object_agg(g.name, g.all_servers) as sums,
               json_object_agg(g.name, g.min) as mins, json_object_agg(g.name, g.max) as maxs
        from gauge g
        group by g.at
    ), late as (
        select m.at, max(m.oldest_s) as oldest_s, sum(m.depth) as depth
        from (
            select date_bin(make_interval(mins => width), b.at, 'epoch') as at, max(b.oldest_s) as oldest_s, max(b.depth) as depth
            from queen.lag_bucket b
            where b.minutes = case when width >= 60 then 60 else 1 end
              and b.at >= date_bin(make_interval(mins => width), since, 'epoch')
              and b.at <= until
              and (ids is null or b.queue_id = any (ids))
            group by b.queue_id, 1
        ) m
        group by m.at
    ), refused as (
        select r.at, sum(r.count) as count, json_object_agg(r.reason, r.count) as reasons
        from (select r.at, r.reason, sum(r.count) as count from :api.refusals_in(since, until, width, ids) r group by r.at, r.reason) r
        group by r.at
    )
    select json_agg(json_build_object(
               'timestamp', :api.iso_seconds(c.at), 'ingested', c.push_messages, 'processed', c.ack_success,
               'popMessages', c.pop_messages,
               'ingestedPerSecond', round(c.push_messages / (60.0 * width), 2),
               'processedPerSecond', round(c.ack_success / (60.0 * width), 2),
               'popPerSecond', round(c.pop_messages / (60.0 * width), 2),
               'avgLagMs', coalesce(round(c.lag_sum_ms / nullif(c.pop_messages, 0)), 0), 'maxLagMs', c.lag_max_ms,
               'oldestUnreadSeconds', coalesce(o.oldest_s, 0), 'depth', coalesce(o.depth, 0),
               'avgEventLoopLagMs', coalesce(round((m.avgs ->> 'loop.lag_ms')::numeric, 2), 0),
               'maxEventLoopLagMs', coalesce((m.maxs ->> 'loop.lag_ms')::numeric, 0),
               'minFreeSlots', coalesce((m.mins ->> 'database.pool_idle')::numeric, 0),
               'dbErrors', c.db_errors, 'ackFailed', c.ack_failed, 'dlqCount', c.dead_letters,
               'pushRefused', coalesce(r.count, 0), 'pushRefusedReasons', coalesce(r.reasons, '{}'),
               'queenCpuUserPct', coalesce(round((m.avgs ->> 'cpu.user_us')::numeric / 100, 2), 0),
               'queenCpuSysPct', coalesce(round((m.avgs ->> 'cpu.system_us')::numeric / 100, 2), 0),
               'queenRssMb', coalesce(round((m.sums ->> 'memory.rss_bytes')::numeric / 1048576, 1), 0),
               'dbPoolActive', coalesce(round((m.sums ->> 'database.pool_active')::numeric, 2), 0),
               'dbPoolIdle', coalesce(round((m.sums ->> 'database.pool_idle')::numeric, 2), 0),
               'dbPoolSize', coalesce(round((m.sums ->> 'database.pool_size')::numeric, 2), 0)) order by c.at desc) as throughput,
           sum(c.push_requests) as pushes, sum(c.pop_requests) as pops, sum(c.ack_requests) as acks,
           sum(c.push_messages) as pushed, sum(c.pop_messages) as popped, sum(c.ack_success + c.ack_failed) as acked,
           sum(c.ack_failed) as failed, sum(c.dead_letters) as dead, sum(c.db_errors) as db_errors,
           coalesce(sum(r.count), 0) as refused
    into sums
    from counted c
    left join measured m on m.at = c.at
    left join late o on o.at = c.at
    left join refused r on r.at = c.at;

    select coalesce(sum(t.total), 0) as total, coalesce(sum(t.pending), 0) as pending,
           coalesce(sum(t.processing), 0) as processing
    into amounts
    from queue_depth t
    where ids is null or t.queue_id = any (ids);

    -- Each server reports the number of its leases every few seconds.
    select coalesce(sum((select g.last from queen.server_gauge g where g.server_id = s.id and g.minutes = 1
                         and g.name = 'leases.count' order by g.at desc limit 1)), 0) as leases,
           coalesce(sum((select g.last from queen.server_gauge g where g.server_id = s.id and g.minutes = 1
                         and g.name = 'leases.partitions' order by g.at desc limit 1)), 0) as partitions
    into held
    from queen.server s
    where s.seen_at > now() - interval '1 minute'
      and scope is null;

    select json_build_object(
               'totalMessages', :api.dead_letter_count(ids),
               'affectedPartitions', (select count(distinct d.partition_id) from :api.dead_letter_sample(ids) d),
               'topErrors', coalesce((
                   select json_agg(json_build_object('error', e.error, 'count', e.count) order by e.count desc, e.error)
                   from (
                       select coalesce(d.error, '') as error, count(*) as count
                       from :api.dead_letter_sample(ids) d
                       group by 1
                       order by 2 desc, 1
                       limit 10
                   ) e), '[]'))
    into dead;

    return json_build_object(
        'timeRange', json_build_object('from', :api.iso_millis(since), 'to', :api.iso_millis(until)),
        'bucketMinutes', width, 'pointCount', json_array_length(sums.throughput), 'throughput', sums.throughput,
        'queues', :api.consumed_queues(ids),
        'messages', json_build_object(
            'total', amounts.total, 'pending', amounts.pending, 'processing', amounts.processing,
            'completed', sums.acked - sums.failed, 'failed', sums.failed, 'deadLetter', dead -> 'totalMessages',
            'requests', json_build_object('push', sums.pushes, 'pop', sums.pops, 'ack', sums.acks),
            'batchEfficiency', json_build_object(
                'push', coalesce(round(sums.pushed / nullif(sums.pushes, 0), 2), 0),
                'pop', coalesce(round(sums.popped / nullif(sums.pops, 0), 2), 0),
                'ack', coalesce(round(sums.acked / nullif(sums.acks, 0), 2), 0))),
        'leases', json_build_object('active', held.leases, 'partitionsWithLeases', held.partitions,
                                    'totalBatchSize', amounts.processing, 'totalAcked', 0),
        'deadLetterQueue', dead,
        'workers', :api.workers_in(since, until, case when scope is not null then '{}'::uuid[] end),
        'errors', json_build_object('dbErrors', sums.db_errors, 'ackFailed', sums.failed, 'dlqMessages', sums.dead,
                                    'pushRefused', sums.refused),
        'refusals', coalesce((
            select json_agg(json_build_object('queue', x.name, 'reason', x.reason, 'count', x.count) order by x.count desc, x.name)
            from (
                select q.name, r.reason, sum(r.count) as count
                from :api.refusals_in(since, until, width, ids) r
                join queen.queue q on q.id = r.queue_id
                group by q.name, r.reason
                order by 3 desc, 1
                limit 50
            ) x), '[]'),
        'statsAge', :api.stats_age())::text;
end
$$;
