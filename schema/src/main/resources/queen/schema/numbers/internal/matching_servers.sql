create function :api.matching_servers(hostname text, worker_id text)
returns uuid[]
language sql stable
as $$
-- Promise:  returns the servers that match a filter, also those that do not run any more.
-- Params:   a hostname, a worker id; null for any.
-- Returns:  the ids of the servers; null without a filter.
-- Locks:    none.
-- Writes:   nothing
    select case when coalesce(hostname, worker_id) is not null then array(
        select s.id
        from queen.server s
        where (matching_servers.hostname is null or s.hostname = matching_servers.hostname)
          and (matching_servers.worker_id is null or s.worker_id = matching_servers.worker_id)) end;
$$;
