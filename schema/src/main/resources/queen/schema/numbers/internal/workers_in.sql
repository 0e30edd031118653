create function :api.workers_in(from_at timestamptz, to_at timestamptz, server_ids uuid[])
returns json
language sql stable
as $$
-- Promise:  returns the servers that reported in the range, with their gauges and counts.
-- Params:   the range; server_ids: null for all servers.
-- Returns:  [{hostname, workerId, avgEventLoopLagMs, maxEventLoopLagMs, freeSlots, dbConnections, jobQueueSize, backoffSize,
--           messagesProcessed, lastSeen}]
-- Locks:    none.
-- Writes:   nothing
    with source as (
        select case when to_at - from_at > interval '24 hours' then 60 else 1 end as minutes
    ), measured as (
        select g.server_id,
               sum(g.sum) filter (where g.name = 'loop.lag_ms') / sum(g.samples) filter (where g.name = 'loop.lag_ms') as avg_lag,
               max(g.max) filter (where g.name = 'loop.lag_ms') as max_lag,
               (array_agg(g.last order by g.at desc) filter (where g.name = 'database.pool_idle'))[1] as free,
               (array_agg(g.last order by g.at desc) filter (where g.name = 'database.pool_size'))[1] as connections,
               (array_agg(g.last order by g.at desc) filter (where g.name = 'calls.waiting'))[1] as waiting,
               (array_agg(g.last order by g.at desc) filter (where g.name = 'pops.waiting'))[1] as waiting_pops
        from queen.server_gauge g, source
        where g.minutes = source.minutes
          and g.at >= date_bin(make_interval(mins => source.minutes), from_at, 'epoch')
          and g.at <= to_at
          and (server_ids is null or g.server_id = any (server_ids))
        group by g.server_id
    ), counted as (
        select b.server_id, sum(b.ack_success) as processed
        from queen.server_bucket b, source
        where b.minutes = source.minutes
          and b.at >= date_bin(make_interval(mins => source.minutes), from_at, 'epoch')
          and b.at <= to_at
          and (server_ids is null or b.server_id = any (server_ids))
        group by b.server_id
    )
    select coalesce(json_agg(json_build_object(
               'hostname', s.hostname, 'workerId', s.worker_id,
               'avgEventLoopLagMs', coalesce(round(m.avg_lag::numeric, 2), 0),
               'maxEventLoopLagMs', coalesce(round(m.max_lag::numeric, 2), 0),
               'freeSlots', coalesce(m.free, 0), 'dbConnections', coalesce(m.connections, 0),
               'jobQueueSize', coalesce(m.waiting, 0), 'backoffSize', coalesce(m.waiting_pops, 0),
               'messagesProcessed', c.processed, 'lastSeen', :api.iso_millis(s.seen_at))
               order by s.hostname, s.worker_id, s.started_at), '[]')
    from counted c
    join queen.server s on s.id = any (array[c.server_id])
    left join measured m on m.server_id = c.server_id;
$$;
