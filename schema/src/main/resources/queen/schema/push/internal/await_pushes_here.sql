create function :api.await_pushes_here(wait_ms int, encryption_epoch bigint)
returns boolean
language plpgsql volatile
as $$
-- Promise:  waits until every call on this node that was appending messages when this one began has ended, and this epoch is visible to new
--           calls.
-- Params:   wait_ms: the maximum wait; 55P03 is raised after that. encryption_epoch: the epoch, which is already committed.
-- Returns:  true.
-- Locks:    none.
-- Writes:   nothing
declare
    segments    oid[] := array(select (s.name || '.segment')::regclass::oid from queen.shard s);
    adding      text[];
    deadline    constant timestamptz := clock_timestamp() + make_interval(secs => wait_ms / 1000.0);
begin
    if to_regclass('pg_catalog.pg_dist_shard') is not null then
        -- The tables of the Citus shards on this node.
        segments := segments || array(
            select to_regclass(shard_name(d.logicalrelid, d.shardid))::oid from pg_dist_shard d where d.logicalrelid = any (segments));
        -- A distributed commit may reach this node later than others.
        while not exists (
            select 1 from queen.system_state s where s.is_the_only_row and s.encryption_epoch >= await_pushes_here.encryption_epoch
        ) loop
            if clock_timestamp() > deadline then
                raise exception 'a node of the cluster has not received the new encryption epoch yet; try again' using errcode = '55P03';
            end if;
            perform pg_sleep(0.002);
        end loop;
    end if;

    -- A statement locks its tables before it takes its snapshot, so every call that may not see the last commit is in this list.
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
            raise exception 'a transaction that appends messages is still open; try again when it has ended' using errcode = '55P03';
        end if;
        perform pg_sleep(0.002);
    end loop;
    return true;
end
$$;
