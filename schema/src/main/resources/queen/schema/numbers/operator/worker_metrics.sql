create function :api.worker_metrics(hostname text, worker_id text, from_at timestamptz, to_at timestamptz)
returns text
language plpgsql stable
as $$
-- Promise:  returns the activity of the servers, by bucket, including empty buckets.
-- Params:   hostname, worker_id: null for any; the range, by default the last hour.
-- Returns:  {timeRange, bucketMinutes, pointCount, timeSeries (oldest first), workers, queues (the 50 busiest), summary}
-- Locks:    none.
-- Writes:   nothing
declare
    until   timestamptz := coalesce(to_at, now());
    since   timestamptz := coalesce(from_at, until - interval '1 hour');
    width   int := :api.bucket_minutes(since, until);
    seconds numeric := 60.0 * width;
    ids     uuid[] := :api.matching_servers(hostname, worker_id);
    queues  json;
    sums    record;
begin
    with counted as (
        select * from :api.counts_in(since, until, width, null, ids)
    ), measured as (
        select g.at, avg(g.avg) filter (where g.name = 'loop.lag_ms') as lag, max(g.max) filter (where g.name = 'loop.lag_ms') as lag_max,
               avg(g.avg) filter (where g.name = 'database.pool_idle') as free,
               min(g.min) filter (where g.name = 'database.pool_idle') as free_min,
               sum(g.last) filter (where g.name = 'database.pool_size') as connections,
               avg(g.avg) filter (where g.name = 'calls.waiting') as waiting,
               max(g.max) filter (where g.name = 'calls.waiting') as waiting_max,
               sum(g.last) filter (where g.name = 'pops.waiting') as waiting_pops
        from :api.gauges_in(since, until, width, ids) g
        group by g.at
    )
    select json_agg(json_build_object(
               'timestamp', :api.iso_seconds(c.at),
               'pushMessages', c.push_messages, 'popMessages', c.pop_messages, 'ackMessages', c.ack_success + c.ack_failed,
               'pushRequests', c.push_requests, 'popRequests', c.pop_requests, 'ackRequests', c.ack_requests, 'jobsDone', c.calls,
               'pushPerSecond', round(c.push_messages / seconds, 2), 'popPerSecond', round(c.pop_messages / seconds, 2),
               'ackPerSecond', round((c.ack_success + c.ack_failed) / seconds, 2),
               'avgEventLoopLagMs', coalesce(round(m.lag, 2), 0), 'maxEventLoopLagMs', coalesce(m.lag_max, 0),
               'avgFreeSlots', coalesce(round(m.free, 2), 0), 'minFreeSlots', coalesce(m.free_min, 0),
               'dbConnections', coalesce(m.connections, 0),
               'avgJobQueueSize', coalesce(round(m.waiting, 2), 0), 'maxJobQueueSize', coalesce(m.waiting_max, 0),
               'backoffSize', coalesce(m.waiting_pops, 0),
               'avgLagMs', coalesce(round(c.lag_sum_ms / nullif(c.pop_messages, 0)), 0), 'maxLagMs', c.lag_max_ms,
               'lagCount', c.pop_messages, 'dbErrors', c.db_errors, 'ackSuccess', c.ack_success, 'ackFailed', c.ack_failed,
               'dlqCount', c.dead_letters) order by c.at) as series,
           sum(c.push_messages) as pushed, sum(c.pop_messages) as popped, sum(c.ack_success + c.ack_failed) as acked,
           sum(c.push_requests) as pushes, sum(c.pop_requests) as pops, sum(c.ack_requests) as acks,
           sum(c.db_errors) as db_errors, sum(c.ack_failed) as failed, sum(c.dead_letters) as dead
    into sums
    from counted c
    left join measured m on m.at = c.at;

    select json_agg(json_build_object('queueName', x.queue_name, 'popCount', x.popped, 'avgLagMs', round(x.lag / x.popped),
                                      'maxLagMs', x.lag_max) order by x.popped desc, x.queue_name)
    into queues
    from (
        select o.queue_name, sum(o.pop_messages) as popped, sum(o.lag_sum_ms) as lag, max(o.lag_max_ms) as lag_max
        from :api.queue_counts_in(since, until, width, :api.busy_queues(since, until, null)) o
        group by o.queue_name
        having sum(o.pop_messages) > 0
    ) x;

    return json_build_object(
        'timeRange', json_build_object('from', :api.iso_millis(since), 'to', :api.iso_millis(until)),
        'bucketMinutes', width, 'pointCount', json_array_length(sums.series), 'timeSeries', sums.series,
        'workers', :api.workers_in(since, until, ids), 'queues', coalesce(queues, '[]'),
        'summary', json_build_object(
            'totalPushMessages', sums.pushed, 'totalPopMessages', sums.popped, 'totalAckMessages', sums.acked,
            'totalPushRequests', sums.pushes, 'totalPopRequests', sums.pops, 'totalAckRequests', sums.acks,
            'totalDbErrors', sums.db_errors, 'totalAckFailed', sums.failed, 'totalDlq', sums.dead,
            'pendingMessages', (select coalesce(sum(t.pending + t.processing), 0) from queue_depth t)))::text;
end
$$;
