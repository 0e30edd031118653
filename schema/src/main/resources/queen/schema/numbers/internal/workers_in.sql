create function :api.workers_in(from_at timestamptz, to_at timestamptz, server_ids uuid[])
returns json
language sql stable
as $$
-- Promise:  returns the servers that reported in the range, with their gauges and counts. A server is identified by its hostname and
--           worker id: its starts are one row. A server that was stopped is returned only for ranges that have ended.
-- Params:   the range; server_ids: null for all servers.
-- Returns:  [{hostname, workerId, avgEventLoopLagMs, maxEventLoopLagMs, freeSlots, dbConnections, jobQueueSize, backoffSize,
--           messagesProcessed, lastSeen, state, spool}]; spool: {state: 0 off, 1 ready, 2 full, 3 broken; pending, bytes,
--           oldestSeconds, refused} as last reported; state: running, dead or stopped. Without running, it has no connections.
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
               (array_agg(g.last order by g.at desc) filter (where g.name = 'pops.waiting'))[1] as waiting_pops,
               (array_agg(g.last order by g.at desc) filter (where g.name = 'spool.state'))[1] as spool_state,
               (array_agg(g.last order by g.at desc) filter (where g.name = 'spool.pending'))[1] as spool_pending,
               (array_agg(g.last order by g.at desc) filter (where g.name = 'spool.bytes'))[1] as spool_bytes,
               (array_agg(g.last order by g.at desc) filter (where g.name = 'spool.oldest_seconds'))[1] as spool_oldest,
               (array_agg(g.last order by g.at desc) filter (where g.name = 'spool.refused'))[1] as spool_refused
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
    ), started as (
        select s.id, s.hostname, s.worker_id, s.seen_at,
               sum(c.processed) over (partition by s.hostname, s.worker_id) as processed,
               row_number() over (partition by s.hostname, s.worker_id order by s.seen_at desc) as place
        from counted c
        join queen.server s on s.id = any (array[c.server_id])
    ), listed as (
        select l.*, case when c.server_id is null then 'stopped' when c.is_running then 'running' else 'dead' end as state
        from started l
        left join :api.current_servers() c on c.server_id = l.id
        where l.place = 1
    )
    select coalesce(json_agg(json_build_object(
               'hostname', l.hostname, 'workerId', l.worker_id,
               'avgEventLoopLagMs', coalesce(round(m.avg_lag::numeric, 2), 0),
               'maxEventLoopLagMs', coalesce(round(m.max_lag::numeric, 2), 0),
               'freeSlots', case when l.state = 'running' then coalesce(m.free, 0) else 0 end,
               'dbConnections', case when l.state = 'running' then coalesce(m.connections, 0) else 0 end,
               'jobQueueSize', coalesce(m.waiting, 0), 'backoffSize', coalesce(m.waiting_pops, 0),
               'messagesProcessed', l.processed, 'lastSeen', :api.iso_millis(l.seen_at), 'state', l.state,
               'spool', case when m.spool_state is not null then json_build_object(
                   'state', m.spool_state, 'pending', m.spool_pending, 'bytes', m.spool_bytes, 'oldestSeconds', round(m.spool_oldest),
                   'refused', m.spool_refused) end)
               order by l.hostname, l.worker_id), '[]')
    from listed l
    left join measured m on m.server_id = l.id
    where l.state <> 'stopped'
       or to_at < now() - interval '1 minute';
$$;
