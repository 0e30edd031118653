create function :api.await_pushes(wait_ms int)
returns boolean
language plpgsql volatile
as $$
-- Promise:  every call that was adding messages when this one began has ended, so that all there will ever be stored by what
--           it knew is stored. New calls are not held up.
-- Params:   how long to wait at most; then 55P03 is raised.
-- Returns:  true.
-- Locks:    nothing.
-- Writes:   nothing
declare
    segments constant oid[] := array(select (s.name || '.segment')::regclass::oid from queen.shard s);
    adding text[];
    deadline constant timestamptz := clock_timestamp() + make_interval(secs => wait_ms / 1000.0);
begin
    -- A statement locks its tables before it looks at them, so whoever cannot see the last commit yet is among these.
    adding := array(
        select l.virtualtransaction
        from pg_locks l
        where l.locktype = 'relation' and l.relation = any (segments) and l.mode = 'RowExclusiveLock'
          and l.database = (select d.oid from pg_database d where d.datname = current_database())
          and l.pid <> pg_backend_pid());

    while exists (
        select 1
        from pg_locks l
        where l.locktype = 'relation' and l.relation = any (segments) and l.virtualtransaction = any (adding)
    ) loop
        if clock_timestamp() > deadline then
            raise exception 'a transaction of the database that adds messages stays open: ask again when it has ended' using errcode = '55P03';
        end if;
        perform pg_sleep(0.002);
    end loop;
    return true;
end
$$;
