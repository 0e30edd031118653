create function :api.metrics_of_groups(most bigint)
returns table (name text, label text, value numeric)
language plpgsql stable
as $$
-- Promise:  what Prometheus is told of groups, from sums: no partition is looked at. The groups of the oldest queues have labels of
--           their own, and keep them until a group comes to a queue that is older; all others share one.
-- Params:   how many pairs of a queue and a group have labels of their own.
-- Returns:  one row per series.
-- Locks:    nothing.
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
    ), told as (
        select :api.prometheus_label('queue', case when p.place <= most then p.queue else '_other' end) || ','
               || :api.prometheus_label('group', case when p.place <= most then p.group_name else '_other' end) as label,
               sum(p.pending) as pending, sum(p.lagging) as lagging,
               coalesce(max(greatest(extract(epoch from at - p.oldest_at), 0)), 0) as oldest
        from placed p
        group by 1
    )
    select t.name, g.label, t.value
    from told g
    cross join lateral (values
        ('queen_group_lag_messages', g.pending), ('queen_group_lagging_partitions', g.lagging),
        ('queen_group_oldest_unread_seconds', round(g.oldest, 3))) as t (name, value)
    union all
    select 'queen_series_omitted', 'kind="group"', count(*) filter (where p.place > most) from placed p;
end
$$;
