create function :api.await_pushes_here(wait_ms int, encryption_epoch bigint)
returns boolean
language plpgsql volatile
as $$
-- Promise:  on this node every call that was adding messages when this one began has ended, and those that come see this epoch.
-- Params:   how long to wait at most; then 55P03 is raised. The epoch that was committed before.
-- Returns:  true.
-- Locks:    nothing.
-- Writes:   nothing
declare
    segments    oid[] := array(select (s.name || '.segment')::regclass::oid from queen.shard s);
    adding      text[];
    deadline    constant timestamptz := clock_timestamp() + make_interval(secs => wait_ms / 1000.0);
begin
    if to_regclass('pg_catalog.pg_dist_shard') is not null then
        -- What Citus keeps under names of its own, as far as it is on this node.
        segments := segments || array(
            select to_regclass(shard_name(d.logicalrelid, d.shardid))::oid from pg_dist_shard d where d.logicalrelid = any (segments));
        -- A commit on several nodes may come to this one after the others.
        while not exists (
            select 1 from queen.system_state s where s.is_the_only_row and s.encryption_epoch >= await_pushes_here.encryption_epoch
        ) loop
            if clock_timestamp() > deadline then
                raise exception 'a node of the cluster does not know yet that queues are to be encrypted: ask again later' using errcode = '55P03';
            end if;
            perform pg_sleep(0.002);
        end loop;
    end if;

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
