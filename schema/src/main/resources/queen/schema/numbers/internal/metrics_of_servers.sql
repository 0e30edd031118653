create function :api.metrics_of_servers(minute timestamptz)
returns table (name text, label text, value numeric)
language plpgsql stable
as $$
-- Promise:  returns the Prometheus series of servers: counts and gauges of a minute.
-- Params:   the minute.
-- Returns:  one row per series of every server that reported in that minute.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    with gauge as (
        select g.server_id,
               json_object_agg(g.name, json_build_object('avg', g.sum / g.samples, 'min', g.min, 'max', g.max, 'last', g.last)) as m
        from queen.server_gauge g
        where g.minutes = 1
          and g.at = minute
        group by g.server_id
    )
    select t.name,
           :api.prometheus_label('hostname', s.hostname) || ',' || :api.prometheus_label('worker_id', s.worker_id)
           || ',pid="' || s.pid || '"' || t.label,
           round(coalesce(t.value, 0), 2)
    from queen.server_bucket b
    join queen.server s on s.id = any (array[b.server_id])
    left join gauge g on g.server_id = b.server_id
    cross join lateral (values
        ('queen_worker_event_loop_lag_milliseconds', ',stat="avg"', (g.m #>> '{loop.lag_ms,avg}')::numeric),
        ('queen_worker_event_loop_lag_milliseconds', ',stat="max"', (g.m #>> '{loop.lag_ms,max}')::numeric),
        ('queen_worker_free_slots', ',stat="avg"', (g.m #>> '{database.pool_idle,avg}')::numeric),
        ('queen_worker_free_slots', ',stat="min"', (g.m #>> '{database.pool_idle,min}')::numeric),
        ('queen_worker_db_connections', '', (g.m #>> '{database.pool_size,last}')::numeric),
        ('queen_worker_job_queue_size', ',stat="avg"', (g.m #>> '{calls.waiting,avg}')::numeric),
        ('queen_worker_job_queue_size', ',stat="max"', (g.m #>> '{calls.waiting,max}')::numeric),
        ('queen_worker_backoff_size', '', (g.m #>> '{pops.waiting,last}')::numeric),
        ('queen_worker_jobs_done_per_minute', '', b.calls),
        ('queen_worker_requests_per_minute', ',op="push"', b.push_requests), ('queen_worker_requests_per_minute', ',op="pop"', b.pop_requests),
        ('queen_worker_requests_per_minute', ',op="ack"', b.ack_requests), ('queen_worker_requests_per_minute', ',op="transaction"', b.transactions),
        ('queen_worker_messages_per_minute', ',op="push"', b.push_messages), ('queen_worker_messages_per_minute', ',op="pop"', b.pop_messages),
        ('queen_worker_messages_per_minute', ',op="ack"', b.ack_success + b.ack_failed),
        ('queen_worker_ack_per_minute', ',result="success"', b.ack_success), ('queen_worker_ack_per_minute', ',result="failed"', b.ack_failed),
        ('queen_worker_lag_milliseconds', ',stat="avg"', b.lag_sum_ms / nullif(b.pop_messages, 0)),
        ('queen_worker_lag_milliseconds', ',stat="max"', b.lag_max_ms),
        ('queen_worker_db_errors_per_minute', '', b.db_errors), ('queen_worker_dlq_per_minute', '', b.dead_letters),
        ('queen_worker_metrics_age_seconds', '', extract(epoch from now() - s.seen_at))) as t (name, label, value)
    where b.minutes = 1
      and b.at = minute
      -- Containers have equal pids: if a server was restarted in that minute, the later one is used.
      and not exists (select 1 from queen.server o where o.hostname = s.hostname and o.worker_id = s.worker_id
                      and o.pid = s.pid and o.seen_at > s.seen_at);
end
$$;
