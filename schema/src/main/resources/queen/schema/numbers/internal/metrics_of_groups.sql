create function :api.metrics_of_groups(series_max bigint)
returns table (name text, label text, value numeric)
language plpgsql stable
as $$
-- Promise:  returns the Prometheus series of groups, from sums; reads no partitions. The groups of the oldest queues have labels of their
--           own, and keep them unless a group subscribes to an older queue; all others share one label.
-- Params:   series_max: how many pairs of a queue and a group have labels of their own.
-- Returns:  one row per series.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    at timestamptz := clock_timestamp();
begin
    return query
    with queue as (
        select q.id, q.name, q.created_at from queen.queue q
    ), placed as (
        select q.name as queue, g.group_name, g.pending, g.lagging, l.oldest_at,
               row_number() over (order by q.created_at, q.id, g.group_name) as place
        from group_depth g
        join queue q on q.id = g.queue_id
        left join :api.lag_of_groups() l on l.queue_id = g.queue_id and l.group_name = g.group_name
    ), labeled as (
        select :api.prometheus_label('queue', case when p.place <= series_max then p.queue else '_other' end) || ','
               || :api.prometheus_label('group', case when p.place <= series_max then p.group_name else '_other' end) as label,
               sum(p.pending) as pending, sum(p.lagging) as lagging,
               coalesce(max(greatest(extract(epoch from at - p.oldest_at), 0)), 0) as oldest
        from placed p
        group by 1
    )
    select t.name, g.label, t.value
    from labeled g
    cross join lateral (values
        ('queen_group_lag_messages', g.pending), ('queen_group_lagging_partitions', g.lagging),
        ('queen_group_oldest_unread_seconds', round(g.oldest, 3))) as t (name, value)
    union all
    select 'queen_series_omitted', 'kind="group"', count(*) filter (where p.place > series_max) from placed p;
end
$$;
