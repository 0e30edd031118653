create function :api.prometheus()
returns text
language plpgsql stable
as $$
-- Promise:  what the database knows, in the text format of Prometheus: the same on every server.
-- Params:   none.
-- Returns:  totals ever; of the last full minute the 1,000 busiest queues and every server; how many dead letters there are.
-- Locks:    nothing.
-- Writes:   nothing
#variable_conflict use_column
declare
    minute timestamptz := date_bin('1 minute', now(), 'epoch') - interval '1 minute';
begin
    return (
    with total as (
        select 'queen_cluster_' || t.name as name, 'counter' as kind, 'scope="cluster"' || t.label as label, t.value::numeric
        from queen.lifetime l
        cross join lateral (values
            ('push_requests_total', '', l.push_requests), ('pop_requests_total', '', l.pop_requests),
            ('ack_requests_total', '', l.ack_requests), ('transactions_total', '', l.transactions),
            ('push_messages_total', '', l.push_messages), ('pop_messages_total', '', l.pop_messages),
            ('ack_messages_total', '', l.ack_success + l.ack_failed),
            ('ack_total', ',result="success"', l.ack_success), ('ack_total', ',result="failed"', l.ack_failed),
            ('db_errors_total', '', l.db_errors), ('dlq_total', '', l.dead_letters)) as t (name, label, value)
    ), busy as (
        select b.queue_id, sum(b.push_requests) as c1, sum(b.push_messages) as c2, sum(b.pop_messages) as c3,
               sum(b.pop_empty) as c4, sum(b.ack_success) as c5, sum(b.ack_failed) as c6, sum(b.transactions) as c7,
               sum(b.lag_sum_ms) as c8, max(b.lag_max_ms) as c9, sum(b.parked) as c10
        from queen.queue_bucket b
        where b.minutes = 1
          and b.at = minute
        group by b.queue_id
        order by sum(b.push_messages + b.pop_messages + b.ack_success + b.parked) desc, b.queue_id
        limit 1000
    ), by_queue as (
        select 'queen_queue_' || t.name, 'gauge', :api.prometheus_label('queue', q.name) || t.label, t.value
        from busy b
        join queen.queue q on q.id = b.queue_id
        cross join lateral (values
            ('pop_messages_per_minute', '', b.c3),
            ('pop_lag_milliseconds', ',stat="avg"', coalesce(round(b.c8 / nullif(b.c3, 0)), 0)),
            ('pop_lag_milliseconds', ',stat="max"', b.c9),
            ('push_requests_per_minute', '', b.c1), ('push_messages_per_minute', '', b.c2), ('pop_empty_per_minute', '', b.c4),
            ('ack_per_minute', ',result="success"', b.c5), ('ack_per_minute', ',result="failed"', b.c6),
            ('transactions_per_minute', '', b.c7), ('parked_consumers', '', b.c10),
            ('metrics_age_seconds', '', round(extract(epoch from now() - minute)::numeric - 60))) as t (name, label, value)
    ), gauge as (
        select g.server_id,
               json_object_agg(g.name, json_build_object('avg', g.sum / g.samples, 'min', g.min, 'max', g.max, 'last', g.last)) as m
        from queen.server_gauge g
        where g.minutes = 1
          and g.at = minute
        group by g.server_id
    ), by_server as (
        select 'queen_worker_' || t.name, 'gauge',
               :api.prometheus_label('hostname', s.hostname) || ',' || :api.prometheus_label('worker_id', s.worker_id)
               || ',pid="' || s.pid || '"' || t.label,
               round(coalesce(t.value, 0), 2)
        from queen.server_bucket b
        join queen.server s on s.id = b.server_id
        left join gauge g on g.server_id = b.server_id
        cross join lateral (values
            ('event_loop_lag_milliseconds', ',stat="avg"', (g.m #>> '{loop.lag_ms,avg}')::numeric),
            ('event_loop_lag_milliseconds', ',stat="max"', (g.m #>> '{loop.lag_ms,max}')::numeric),
            ('free_slots', ',stat="avg"', (g.m #>> '{database.pool_idle,avg}')::numeric),
            ('free_slots', ',stat="min"', (g.m #>> '{database.pool_idle,min}')::numeric),
            ('db_connections', '', (g.m #>> '{database.pool_size,last}')::numeric),
            ('job_queue_size', ',stat="avg"', (g.m #>> '{calls.waiting,avg}')::numeric),
            ('job_queue_size', ',stat="max"', (g.m #>> '{calls.waiting,max}')::numeric),
            ('backoff_size', '', (g.m #>> '{pops.parked,last}')::numeric),
            ('jobs_done_per_minute', '', b.calls),
            ('requests_per_minute', ',op="push"', b.push_requests), ('requests_per_minute', ',op="pop"', b.pop_requests),
            ('requests_per_minute', ',op="ack"', b.ack_requests), ('requests_per_minute', ',op="transaction"', b.transactions),
            ('messages_per_minute', ',op="push"', b.push_messages), ('messages_per_minute', ',op="pop"', b.pop_messages),
            ('messages_per_minute', ',op="ack"', b.ack_success + b.ack_failed),
            ('ack_per_minute', ',result="success"', b.ack_success), ('ack_per_minute', ',result="failed"', b.ack_failed),
            ('lag_milliseconds', ',stat="avg"', b.lag_sum_ms / nullif(b.pop_messages, 0)),
            ('lag_milliseconds', ',stat="max"', b.lag_max_ms),
            ('db_errors_per_minute', '', b.db_errors), ('dlq_per_minute', '', b.dead_letters),
            ('metrics_age_seconds', '', extract(epoch from now() - s.seen_at))) as t (name, label, value)
        where b.minutes = 1
          and b.at = minute
          -- Containers all have the same pid: of a server that was restarted in that minute the later one counts.
          and not exists (select from queen.server o where o.hostname = s.hostname and o.worker_id = s.worker_id
                          and o.pid = s.pid and o.seen_at > s.seen_at)
    ), state as (
        select 'queen_maintenance_mode_enabled', 'gauge', 'scope="cluster"', m.push_maintenance::int::numeric
        from queen.system_state m
        union all
        select 'queen_dlq_depth', 'gauge', 'scope="cluster"', :api.dead_letter_count(null)::numeric
        union all
        select 'queen_dlq_depth_by_queue', 'gauge', :api.prometheus_label('queue', q.name), count(*)
        from (select d.queue_id from queen.dead_letter d order by d.queue_id, d.failed_at limit 10000) d
        join queen.queue q on q.id = d.queue_id
        group by q.name
    ), line (name, kind, label, value) as (
        select * from total union all select * from by_queue union all select * from by_server union all select * from state
    ), block as (
        select l.name, min(l.kind) as kind, string_agg(l.name || '{' || l.label || '} ' || l.value, e'\n' order by l.label) as lines
        from line l
        group by l.name
    )
    select string_agg('# TYPE ' || b.name || ' ' || b.kind || e'\n' || b.lines || e'\n', '' order by b.name)
    from block b);
end
$$;
