create function :api.servers_of(hostname text, worker_id text)
returns uuid[]
language sql stable
as $$
-- Promise:  the servers a filter speaks of, also those that do not run any more.
-- Params:   a host's name, a worker id; null for any.
-- Returns:  the ids of the servers that match; null when there is no filter at all.
-- Locks:    nothing.
-- Writes:   nothing
    select case when coalesce(hostname, worker_id) is not null then array(
        select s.id
        from queen.server s
        where (servers_of.hostname is null or s.hostname = servers_of.hostname)
          and (servers_of.worker_id is null or s.worker_id = servers_of.worker_id)) end;
$$;
