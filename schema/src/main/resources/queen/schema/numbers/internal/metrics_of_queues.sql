create function :api.metrics_of_queues(series_max bigint, minute timestamptz)
returns table (name text, label text, value numeric)
language plpgsql stable
as $$
-- Promise:  returns the Prometheus series of queues, from sums; reads no partitions and no messages. Every queue and every reason has a
--           series, also with the value 0.
-- Params:   series_max: how many queues have labels of their own; minute: the minute of the counts.
-- Returns:  one row per series.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    with queue as materialized (
        -- The oldest queues have labels of their own until they are deleted, so that series do not appear and disappear; all others share
        -- one.
        select q.id as queue_id, case when q.place <= series_max then q.name else '_other' end as label, q.place > series_max as is_omitted, q.max_size
        from (
            select q.id, q.name, q.max_size::bigint, row_number() over (order by q.created_at, q.id) as place from queen.queue q
        ) q
    ), busy as (
        select b.queue_id, sum(b.push_requests) as c1, sum(b.push_messages) as c2, sum(b.pop_messages) as c3,
               sum(b.pop_empty) as c4, sum(b.ack_success) as c5, sum(b.ack_failed) as c6, sum(b.transactions) as c7,
               sum(b.lag_sum_ms) as c8, max(b.lag_max_ms) as c9, sum(b.waiting_pops) as c10
        from queen.queue_bucket b
        where b.minutes = 1
          and b.at = minute
        group by b.queue_id
    ), depth as (
        select d.queue_id, d.pending + d.processing as messages from queue_depth d
    ), dead as materialized (
        select d.queue_id, d.reason, d.ever, d.kept from :api.dead_letter_sums(null) d
    ), kept as (
        select d.queue_id, sum(d.kept) as kept from dead d group by d.queue_id
    ), labeled as (
        select :api.prometheus_label('queue', q.label) as label,
               coalesce(sum(b.c1), 0) as c1, coalesce(sum(b.c2), 0) as c2, coalesce(sum(b.c3), 0) as c3,
               coalesce(sum(b.c4), 0) as c4, coalesce(sum(b.c5), 0) as c5, coalesce(sum(b.c6), 0) as c6,
               coalesce(sum(b.c7), 0) as c7, coalesce(sum(b.c8), 0) as c8, coalesce(max(b.c9), 0) as c9,
               coalesce(sum(b.c10), 0) as c10, coalesce(sum(d.messages), 0) as depth,
               coalesce(sum(k.kept), 0) as kept
        from queue q
        left join busy b on b.queue_id = q.queue_id
        left join depth d on d.queue_id = q.queue_id
        left join kept k on k.queue_id = q.queue_id
        group by q.label
    ), cause (name, label, reason, count) as (
        select 'queen_dead_lettered_total', q.label, d.reason, d.ever from dead d join queue q on q.queue_id = d.queue_id
        union all
        select 'queen_push_refused_total', q.label, s.reason, s.count
        from queen.refusal_sum s
        join queue q on q.queue_id = s.queue_id
        union all
        select r.name, q.label, unnest(r.reasons), 0
        from (select distinct q.label from queue q) q
        cross join (values
            ('queen_dead_lettered_total', array['retry_limit', 'lease_expired', 'consumer', 'expired', 'operator']),
            ('queen_push_refused_total', array['full', 'encryption', 'locked', 'refused', 'unavailable', 'maintenance'])
        ) as r (name, reasons)
    )
    select t.name, b.label || t.label, t.value
    from labeled b
    cross join lateral (values
        ('queen_queue_depth', '', b.depth), ('queen_dead_letters', '', b.kept), ('queen_dlq_depth_by_queue', '', b.kept),
        ('queen_queue_pop_messages_per_minute', '', b.c3),
        ('queen_queue_pop_lag_milliseconds', ',stat="avg"', coalesce(round(b.c8 / nullif(b.c3, 0)), 0)),
        ('queen_queue_pop_lag_milliseconds', ',stat="max"', b.c9),
        ('queen_queue_push_requests_per_minute', '', b.c1), ('queen_queue_push_messages_per_minute', '', b.c2),
        ('queen_queue_pop_empty_per_minute', '', b.c4),
        ('queen_queue_ack_per_minute', ',result="success"', b.c5), ('queen_queue_ack_per_minute', ',result="failed"', b.c6),
        ('queen_queue_transactions_per_minute', '', b.c7), ('queen_queue_parked_consumers', '', b.c10),
        ('queen_queue_metrics_age_seconds', '', round(extract(epoch from now() - minute)::numeric - 60))
    ) as t (name, label, value)
    union all
    select c.name, :api.prometheus_label('queue', c.label) || ',' || :api.prometheus_label('reason', c.reason), sum(c.count)
    from cause c
    group by c.name, c.label, c.reason
    union all
    select 'queen_queue_max_size', :api.prometheus_label('queue', q.label), q.max_size
    from queue q
    where q.max_size > 0
      and not q.is_omitted
    union all
    select 'queen_series_omitted', 'kind="queue"', count(*) filter (where q.is_omitted) from queue q;
end
$$;
