create function :api.server_health()
returns text
language plpgsql stable
as $$
-- Promise:  returns how many servers use this database, by their reports, independent of cluster membership.
-- Params:   none.
-- Returns:  {servers_tracked, servers_alive, servers_dead, heartbeats_received, restarts_detected}; a server is alive if it reported in the
--           last 30 seconds.
-- Locks:    none.
-- Writes:   nothing
begin
    return (
        select json_build_object(
            'servers_tracked', count(*),
            'servers_alive', count(*) filter (where s.seen_at > now() - interval '30 seconds'),
            'servers_dead', count(*) filter (where s.seen_at <= now() - interval '30 seconds'),
            'heartbeats_received', coalesce(sum(s.report), 0),
            'restarts_detected', count(*) - count(distinct (s.hostname, s.worker_id)))
        from queen.server s)::text;
end
$$;
