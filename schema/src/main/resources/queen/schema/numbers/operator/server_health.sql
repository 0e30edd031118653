create function :api.server_health()
returns text
language plpgsql stable
as $$
-- Promise:  returns how many servers use this database, by their reports, independent of cluster membership.
-- Params:   none.
-- Returns:  {servers_tracked, servers_alive, servers_dead, heartbeats_received, restarts_detected}; current_servers defines a server.
-- Locks:    none.
-- Writes:   nothing
begin
    return (
        select json_build_object(
            'servers_tracked', count(*),
            'servers_alive', count(*) filter (where c.is_running),
            'servers_dead', count(*) filter (where not c.is_running),
            'heartbeats_received', (select coalesce(sum(s.report), 0) from queen.server s),
            'restarts_detected', (select count(*) - count(distinct (s.hostname, s.worker_id)) from queen.server s))
        from :api.current_servers() c)::text;
end
$$;
