create function :api.current_servers()
returns table (server_id uuid, hostname text, worker_id text, seen_at timestamptz, is_running boolean)
language plpgsql stable
as $$
-- Promise:  returns the servers of this database by their identity, hostname and worker id: only the last start of each. A server that
--           was stopped is not returned. A server that was killed is not running after three missing reports, at least 15 seconds.
-- Params:   none.
-- Returns:  one row per identity that has reported within a day.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select l.id, l.hostname, l.worker_id, l.seen_at, l.seen_at > clock_timestamp() - make_interval(secs => greatest(15, 3 * coalesce(i.seconds, 0)))
    from (
        select distinct on (s.hostname, s.worker_id) s.id, s.hostname, s.worker_id, s.seen_at
        from queen.server s
        where s.seen_at > clock_timestamp() - interval '1 day'
        order by s.hostname, s.worker_id, s.seen_at desc
    ) l
    cross join lateral (
        select max(g.last) filter (where g.name = 'server.report_seconds') as seconds,
               count(*) filter (where g.name = 'server.stopped') > 0 as is_stopped
        from queen.server_gauge g
        where g.server_id = l.id
          and g.minutes = 60
          and g.name in ('server.report_seconds', 'server.stopped')
    ) i
    where not i.is_stopped;
end
$$;
