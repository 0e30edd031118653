create function :api.shared_state(server_name text)
returns text
language plpgsql stable
as $$
-- Promise:  what the servers of one database know of each other.
-- Params:   the name of the server that is asked.
-- Returns:  {enabled, running, server_id, queue_config_cache, server_health, maintenance_mode, pop_maintenance_mode}; a server is
--           alive when it reported in the last 30 seconds. Servers do not talk to each other, so nothing is enabled.
-- Locks:    nothing.
-- Writes:   nothing
begin
    return (
        select json_build_object(
            'enabled', false, 'running', false, 'server_id', server_name,
            'queue_config_cache', json_build_object(
                'size', (select count(*) from queen.queue), 'hits', 0, 'misses', 0, 'hit_rate', 0),
            'server_health', json_build_object(
                'servers_tracked', count(*),
                'servers_alive', count(*) filter (where s.seen_at > now() - interval '30 seconds'),
                'servers_dead', count(*) filter (where s.seen_at <= now() - interval '30 seconds'),
                'heartbeats_received', coalesce(sum(s.report), 0),
                'restarts_detected', count(*) - count(distinct (s.hostname, s.worker_id))),
            'maintenance_mode', (select m.push_maintenance from queen.system_state m),
            'pop_maintenance_mode', (select m.pop_maintenance from queen.system_state m))
        from queen.server s)::text;
end
$$;
