create function :api.overview(scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns the summary of the whole system: sizes, consumer lag and throughput.
-- Params:   scope: only these queues; null for all.
-- Returns:  {queues, partitions, namespaces, tasks, messages, lag, oldestUnreadSeconds, deliveryAge, throughput, pushRefused, maintenance,
--           timestamp, statsAge}; pushRefused: messages refused in the last five minutes; lag.time: seconds for which the oldest unread
--           message has been due, over all queues; oldestUnreadSeconds: the maximum of these; lag.offset: pending messages, over all
--           queues; deliveryAge: the age of messages at delivery in seconds, over the queues with pops in this minute and the last.
-- Locks:    none.
-- Writes:   nothing
declare
    minute      timestamptz := date_bin('1 minute', now(), 'epoch');
    queues      json;
    time_lag    json;
    oldest_s    bigint;
    delivery    json;
    amounts     record;
    counted     record;
    speed       record;
begin
    select json_build_object('queues', count(*), 'namespaces', count(distinct nullif(q.namespace, '')),
                             'tasks', count(distinct nullif(q.task, '')))
    into queues
    from queen.queue q
    where scope is null or q.id = any (scope);

    select coalesce(sum(t.partitions), 0) as partitions, coalesce(sum(t.total), 0) as total,
           coalesce(sum(t.pending), 0) as pending, coalesce(sum(t.processing), 0) as processing,
           json_build_object('avg', coalesce(round(avg(t.pending), 2), 0),
                             'median', coalesce(percentile_cont(0.5) within group (order by t.pending), 0),
                             'min', coalesce(min(t.pending), 0), 'max', coalesce(max(t.pending), 0)) as lag
    into amounts
    from queue_depth t
    where scope is null or t.queue_id = any (scope);

    select coalesce(sum(l.ack_success), 0) as completed, coalesce(sum(l.ack_failed), 0) as failed into counted
    from (
        select l.ack_success, l.ack_failed from queen.lifetime l where scope is null
        union all
        select l.ack_success, l.ack_failed from queen.queue_lifetime l where l.queue_id = any (scope)
    ) l;

    select coalesce(max(x.seconds), 0),
           json_build_object('avg', coalesce(round(avg(x.seconds), 3), 0),
                             'median', coalesce(percentile_cont(0.5) within group (order by x.seconds), 0),
                             'min', coalesce(min(x.seconds), 0), 'max', coalesce(max(x.seconds), 0))
    into oldest_s, time_lag
    from (
        select :api.seconds_since(min(l.oldest_at)) as seconds
        from queen.queue q
        left join :api.lag_of_groups() l on l.queue_id = q.id
        where scope is null or q.id = any (scope)
        group by q.id
    ) x;

    select json_build_object('avg', coalesce(round(avg(x.seconds), 3), 0),
                             'median', coalesce(percentile_cont(0.5) within group (order by x.seconds), 0),
                             'min', coalesce(min(x.seconds), 0), 'max', coalesce(max(x.seconds), 0))
    into delivery
    from (
        select round(sum(b.lag_sum_ms) / sum(b.pop_messages) / 1000.0, 3) as seconds
        from queen.queue_bucket b
        where b.minutes = 1
          and b.at >= minute - interval '1 minute'
          and b.pop_messages > 0
          and (scope is null or b.queue_id = any (scope))
        group by b.queue_id
    ) x;

    select coalesce(sum(b.push_messages), 0) as pushed, coalesce(sum(b.ack_success), 0) as acked into speed
    from (
        select b.push_messages, b.ack_success
        from queen.server_bucket b
        where scope is null and b.minutes = 1 and b.at > minute - interval '5 minutes'
        union all
        select b.push_messages, b.ack_success
        from queen.queue_bucket b
        where b.queue_id = any (scope) and b.minutes = 1 and b.at > minute - interval '5 minutes'
    ) b;

    return json_build_object(
        'queues', queues -> 'queues', 'partitions', amounts.partitions, 'namespaces', queues -> 'namespaces',
        'tasks', queues -> 'tasks',
        'messages', json_build_object(
            'total', amounts.total, 'pending', amounts.pending, 'processing', amounts.processing,
            'completed', counted.completed, 'failed', counted.failed, 'deadLetter', :api.dead_letter_count(scope)),
        'lag', json_build_object('time', time_lag, 'offset', amounts.lag),
        'oldestUnreadSeconds', oldest_s, 'deliveryAge', delivery,
        'throughput', json_build_object(
            'ingestedPerSecond', round(speed.pushed / 300.0, 2), 'processedPerSecond', round(speed.acked / 300.0, 2)),
        'pushRefused', (
            select coalesce(sum(r.count), 0) from :api.refusals_in(minute - interval '4 minutes', now(), 1, scope) r),
        'maintenance', (select json_build_object('push', m.push_maintenance, 'pop', m.pop_maintenance) from queen.system_state m),
        'timestamp', :api.iso_millis(now()), 'statsAge', :api.stats_age())::text;
end
$$;
