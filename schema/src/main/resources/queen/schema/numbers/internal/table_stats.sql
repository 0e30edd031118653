create function :api.table_stats()
returns table (
    shard text, name text, live bigint, dead bigint, written bigint, updates bigint, hot_updates bigint, heap_reads bigint, heap_hits bigint,
    index_reads bigint, index_hits bigint, total_bytes bigint, heap_bytes bigint, index_bytes bigint, last_vacuum timestamptz,
    last_autovacuum timestamptz, autovacuums bigint, autoanalyzes bigint)
language plpgsql stable
as $$
-- Promise:  returns the statistics of PostgreSQL about the tables of Queen, from all reachable nodes.
-- Params:   none.
-- Returns:  one row per table and schema; shard: the schema, which is queen for the catalog. Counts begin at the last reset of the
--           statistics.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    -- On a node the name of a table ends with the number of its Citus shard.
    of_a_node   constant text := $stats$
        select coalesce(json_agg(x), '[]')
        from (
            select t.schemaname as shard, regexp_replace(t.relname, '_\d{6,}$', '') as name, sum(t.n_live_tup) as live,
                   sum(t.n_dead_tup) as dead, sum(t.n_tup_ins + t.n_tup_upd + t.n_tup_del) as written, sum(t.n_tup_upd) as updates,
                   sum(t.n_tup_hot_upd) as hot_updates, sum(i.heap_blks_read) as heap_reads, sum(i.heap_blks_hit) as heap_hits,
                   sum(i.idx_blks_read) as index_reads, sum(i.idx_blks_hit) as index_hits,
                   sum(pg_total_relation_size(t.relid)) as total_bytes, sum(pg_table_size(t.relid)) as heap_bytes,
                   sum(pg_indexes_size(t.relid)) as index_bytes, max(t.last_vacuum) as last_vacuum,
                   max(t.last_autovacuum) as last_autovacuum, sum(t.autovacuum_count) as autovacuums,
                   sum(t.autoanalyze_count) as autoanalyzes
            from pg_stat_user_tables t
            join pg_statio_user_tables i on i.relid = t.relid
            where t.schemaname ~ '^queen(_\d\d)?$'
            group by 1, 2
        ) x $stats$;
    here        json;
    nodes       json[] := '{}';
begin
    execute of_a_node into here;
    if to_regclass('pg_catalog.pg_dist_node') is not null then
        execute 'select coalesce(array_agg(n.result::json), ''{}'') from run_command_on_workers($1) n where n.success'
        into nodes
        using of_a_node;
    end if;
    -- The catalog is on every node and is counted once.
    return query
    select r.shard, r.name, sum(r.live)::bigint, sum(r.dead)::bigint, sum(r.written)::bigint, sum(r.updates)::bigint,
           sum(r.hot_updates)::bigint, sum(r.heap_reads)::bigint, sum(r.heap_hits)::bigint, sum(r.index_reads)::bigint,
           sum(r.index_hits)::bigint, sum(r.total_bytes)::bigint, sum(r.heap_bytes)::bigint, sum(r.index_bytes)::bigint,
           max(r.last_vacuum), max(r.last_autovacuum), sum(r.autovacuums)::bigint, sum(r.autoanalyzes)::bigint
    from unnest(array_prepend(here, nodes)) with ordinality as d (rows, node)
    cross join lateral json_to_recordset(d.rows) as r (
        shard text, name text, live bigint, dead bigint, written bigint, updates bigint, hot_updates bigint, heap_reads bigint,
        heap_hits bigint, index_reads bigint, index_hits bigint, total_bytes bigint, heap_bytes bigint, index_bytes bigint,
        last_vacuum timestamptz, last_autovacuum timestamptz, autovacuums bigint, autoanalyzes bigint)
    where d.node = 1 or r.shard <> 'queen'
    group by r.shard, r.name;
end
$$;
