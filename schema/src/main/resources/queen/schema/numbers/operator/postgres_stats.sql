create function :api.postgres_stats()
returns text
language plpgsql stable
as $$
-- Promise:  returns statistics of PostgreSQL about the tables of Queen; needs no extension. A table that every shard has is one row, the
--           sum of all shards; list_shards shows them separately. indexCache, activeQueries and longTransactions are those of the server
--           that has the catalog.
-- Params:   none.
-- Returns:  {timestamp, database, databaseCache, tableCache, indexCache, cacheSummary, deadTuples, hotUpdates, activeQueries,
--           autovacuumStatus, bufferConfig, bufferUsage, tableSizes, longTransactions}; bufferUsage is always empty.
-- Locks:    none.
-- Writes:   nothing
declare
    buffers bigint := (select s.setting::bigint from pg_settings s where s.name = 'shared_buffers');
    page    bigint := current_setting('block_size')::bigint;
begin
    return (
        with tables as materialized (
            select case when bool_or(s.shard = 'queen') then 'queen' else min(s.shard) end as schema, s.name,
                   sum(s.live)::bigint as live, sum(s.dead)::bigint as dead, sum(s.updates)::bigint as updates,
                   sum(s.hot_updates)::bigint as hot_updates, sum(s.heap_reads)::bigint as heap_reads,
                   sum(s.heap_hits)::bigint as heap_hits, sum(s.index_reads)::bigint as index_reads,
                   sum(s.index_hits)::bigint as index_hits, sum(s.total_bytes)::bigint as total_bytes,
                   sum(s.heap_bytes)::bigint as heap_bytes, sum(s.index_bytes)::bigint as index_bytes,
                   max(s.last_vacuum) as last_vacuum, max(s.last_autovacuum) as last_autovacuum,
                   sum(s.autovacuums)::bigint as autovacuums, sum(s.autoanalyzes)::bigint as autoanalyzes
            from :api.table_stats() s
            group by s.name
        )
        select json_build_object(
            'timestamp', :api.iso_millis(now()),
            'database', current_database(),
            'databaseCache', (
                select json_build_object('database', d.datname, 'diskReads', d.blks_read, 'cacheHits', d.blks_hit,
                                         'cacheHitRatio', :api.percent(d.blks_hit, d.blks_hit + d.blks_read))
                from pg_stat_database d
                where d.datname = current_database()),
            'tableCache', (
                select coalesce(json_agg(json_build_object(
                           'schema', t.schema, 'table', t.name, 'diskReads', t.heap_reads, 'cacheHits', t.heap_hits,
                           'cacheHitRatio', :api.percent(t.heap_hits, t.heap_hits + t.heap_reads))
                           order by t.heap_hits + t.heap_reads desc, t.name), '[]')
                from tables t),
            'indexCache', (
                select coalesce(json_agg(json_build_object(
                           'schema', i.schema, 'table', i.relname, 'index', i.indexrelname, 'diskReads', i.reads, 'cacheHits', i.hits,
                           'cacheHitRatio', :api.percent(i.hits, i.hits + i.reads)) order by i.hits + i.reads desc, i.indexrelname), '[]')
                from (
                    select min(x.schemaname) as schema, x.relname, x.indexrelname, sum(x.idx_blks_read)::bigint as reads,
                           sum(x.idx_blks_hit)::bigint as hits
                    from pg_statio_user_indexes x
                    where x.schemaname ~ '^queen(_\d\d)?$'
                    group by x.relname, x.indexrelname
                ) i),
            'cacheSummary', (
                select json_build_object(
                    'tables', json_build_object(
                        'diskReads', sum(t.heap_reads), 'cacheHits', sum(t.heap_hits),
                        'hitRatio', :api.percent(sum(t.heap_hits), sum(t.heap_hits + t.heap_reads))),
                    'indexes', json_build_object(
                        'diskReads', coalesce(sum(t.index_reads), 0), 'cacheHits', coalesce(sum(t.index_hits), 0),
                        'hitRatio', :api.percent(sum(t.index_hits), sum(t.index_hits + t.index_reads))))
                from tables t),
            'deadTuples', (
                select coalesce(json_agg(json_build_object(
                           'schema', t.schema, 'table', t.name, 'deadTuples', t.dead, 'liveTuples', t.live,
                           'deadPercentage', :api.percent(t.dead, t.dead + t.live),
                           'lastVacuum', :api.iso_millis(t.last_vacuum), 'lastAutovacuum', :api.iso_millis(t.last_autovacuum))
                           order by t.dead desc, t.name), '[]')
                from tables t),
            'hotUpdates', (
                select coalesce(json_agg(json_build_object(
                           'schema', t.schema, 'table', t.name, 'totalUpdates', t.updates, 'hotUpdates', t.hot_updates,
                           'hotUpdatePercentage', :api.percent(t.hot_updates, t.updates)) order by t.updates desc, t.name), '[]')
                from tables t),
            'activeQueries', (
                select coalesce(json_agg(json_build_object(
                           'pid', x.pid, 'duration', x.seconds, 'state', x.state, 'query', left(x.query, 200),
                           'waitEventType', x.wait_event_type, 'waitEvent', x.wait_event) order by x.seconds desc), '[]')
                from (
                    select a.*, round(extract(epoch from clock_timestamp() - a.query_start)::numeric, 3) as seconds
                    from pg_stat_activity a
                    where a.datname = current_database() and a.state <> 'idle' and a.pid <> pg_backend_pid()
                    order by a.query_start
                    limit 50
                ) x),
            'autovacuumStatus', (
                select coalesce(json_agg(json_build_object(
                           'table', t.name, 'lastAutovacuum', :api.iso_millis(t.last_autovacuum), 'deadTuples', t.dead,
                           'autovacuumCount', t.autovacuums, 'autoanalyzeCount', t.autoanalyzes) order by t.name), '[]')
                from tables t),
            'bufferConfig', json_build_object('sharedBuffers', buffers, 'sharedBuffersSize', pg_size_pretty(buffers * page)),
            'bufferUsage', '[]'::json,
            'tableSizes', (
                select coalesce(json_agg(json_build_object(
                           'table', t.name, 'totalSize', pg_size_pretty(t.total_bytes), 'totalSizeBytes', t.total_bytes,
                           'tableSize', pg_size_pretty(t.heap_bytes), 'tableSizeBytes', t.heap_bytes,
                           'indexSize', pg_size_pretty(t.index_bytes), 'indexSizeBytes', t.index_bytes)
                           order by t.total_bytes desc, t.name), '[]')
                from tables t),
            'longTransactions', (
                select coalesce(json_agg(json_build_object(
                           'pid', x.pid, 'ageSeconds', x.seconds, 'state', x.state, 'application', x.application_name,
                           'user', x.usename, 'query', left(x.query, 200)) order by x.seconds desc), '[]')
                from (
                    select a.*, round(extract(epoch from clock_timestamp() - a.xact_start)::numeric, 3) as seconds
                    from pg_stat_activity a
                    where a.datname = current_database() and a.xact_start < now() - interval '5 seconds'
                      and a.pid <> pg_backend_pid()
                    order by a.xact_start
                    limit 20
                ) x))::text);
end
$$;
