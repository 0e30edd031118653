create function :api.shard_moves()
returns table (shard text, host text, port int, bytes bigint, moved_bytes bigint)
language plpgsql stable
as $$
-- Promise:  returns the shards that Citus is moving to another node.
-- Params:   none.
-- Returns:  one row per such shard: its schema, the target, its size in bytes, and the bytes copied so far; nothing without Citus.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    if to_regclass('pg_catalog.pg_dist_node') is null then
        return;
    end if;
    return query execute $moves$
        select n.nspname::text, max(m.targetname), max(m.targetport), sum(m.source_shard_size)::bigint, sum(m.target_shard_size)::bigint
        from get_rebalance_progress() m
        join pg_class c on c.oid = m.table_name
        join pg_namespace n on n.oid = c.relnamespace
        where m.progress = 1
        group by n.nspname $moves$;
end
$$;
