create function :api.postgres_stats()
returns text
language plpgsql stable
as $$
-- Promise:  how PostgreSQL is doing with the tables of Queen, by its own statistics; needs no extension.
-- Params:   none.
-- Returns:  {timestamp, database, databaseCache, tableCache, indexCache, cacheSummary, deadTuples, hotUpdates, activeQueries,
--           autovacuumStatus, bufferConfig, bufferUsage, tableSizes, longTransactions}; bufferUsage is always empty.
-- Locks:    nothing.
-- Writes:   nothing
declare
    buffers bigint := (select s.setting::bigint from pg_settings s where s.name = 'shared_buffers');
    page    bigint := current_setting('block_size')::bigint;
begin
    return json_build_object(
        'timestamp', :api.iso_millis(now()),
        'database', current_database(),
        'databaseCache', (
            select json_build_object('database', d.datname, 'diskReads', d.blks_read, 'cacheHits', d.blks_hit,
                                     'cacheHitRatio', :api.percent(d.blks_hit, d.blks_hit + d.blks_read))
            from pg_stat_database d
            where d.datname = current_database()),
        'tableCache', (
            select coalesce(json_agg(json_build_object(
                       'schema', t.schemaname, 'table', t.relname, 'diskReads', t.heap_blks_read, 'cacheHits', t.heap_blks_hit,
                       'cacheHitRatio', :api.percent(t.heap_blks_hit, t.heap_blks_hit + t.heap_blks_read))
                       order by t.heap_blks_hit + t.heap_blks_read desc, t.relname), '[]')
            from pg_statio_user_tables t
            where t.schemaname = 'queen'),
        'indexCache', (
            select coalesce(json_agg(json_build_object(
                       'schema', i.schemaname, 'table', i.relname, 'index', i.indexrelname, 'diskReads', i.idx_blks_read,
                       'cacheHits', i.idx_blks_hit,
                       'cacheHitRatio', :api.percent(i.idx_blks_hit, i.idx_blks_hit + i.idx_blks_read))
                       order by i.idx_blks_hit + i.idx_blks_read desc, i.indexrelname), '[]')
            from pg_statio_user_indexes i
            where i.schemaname = 'queen'),
        'cacheSummary', (
            select json_build_object(
                'tables', json_build_object(
                    'diskReads', sum(t.heap_blks_read), 'cacheHits', sum(t.heap_blks_hit),
                    'hitRatio', :api.percent(sum(t.heap_blks_hit), sum(t.heap_blks_hit + t.heap_blks_read))),
                'indexes', json_build_object(
                    'diskReads', coalesce(sum(t.idx_blks_read), 0), 'cacheHits', coalesce(sum(t.idx_blks_hit), 0),
                    'hitRatio', :api.percent(sum(t.idx_blks_hit), sum(t.idx_blks_hit + t.idx_blks_read))))
            from pg_statio_user_tables t
            where t.schemaname = 'queen'),
        'deadTuples', (
            select coalesce(json_agg(json_build_object(
                       'schema', t.schemaname, 'table', t.relname, 'deadTuples', t.n_dead_tup, 'liveTuples', t.n_live_tup,
                       'deadPercentage', :api.percent(t.n_dead_tup, t.n_dead_tup + t.n_live_tup),
                       'lastVacuum', :api.iso_millis(t.last_vacuum), 'lastAutovacuum', :api.iso_millis(t.last_autovacuum))
                       order by t.n_dead_tup desc, t.relname), '[]')
            from pg_stat_user_tables t
            where t.schemaname = 'queen'),
        'hotUpdates', (
            select coalesce(json_agg(json_build_object(
                       'schema', t.schemaname, 'table', t.relname, 'totalUpdates', t.n_tup_upd, 'hotUpdates', t.n_tup_hot_upd,
                       'hotUpdatePercentage', :api.percent(t.n_tup_hot_upd, t.n_tup_upd))
                       order by t.n_tup_upd desc, t.relname), '[]')
            from pg_stat_user_tables t
            where t.schemaname = 'queen'),
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
                       'table', t.relname, 'lastAutovacuum', :api.iso_millis(t.last_autovacuum), 'deadTuples', t.n_dead_tup,
                       'autovacuumCount', t.autovacuum_count, 'autoanalyzeCount', t.autoanalyze_count)
                       order by t.relname), '[]')
            from pg_stat_user_tables t
            where t.schemaname = 'queen'),
        'bufferConfig', json_build_object('sharedBuffers', buffers, 'sharedBuffersSize', pg_size_pretty(buffers * page)),
        'bufferUsage', '[]'::json,
        'tableSizes', (
            select coalesce(json_agg(json_build_object(
                       'table', x.relname, 'totalSize', pg_size_pretty(x.total), 'totalSizeBytes', x.total,
                       'tableSize', pg_size_pretty(x.heap), 'tableSizeBytes', x.heap,
                       'indexSize', pg_size_pretty(x.indexes), 'indexSizeBytes', x.indexes) order by x.total desc, x.relname), '[]')
            from (
                select t.relname, pg_total_relation_size(t.relid) as total, pg_table_size(t.relid) as heap,
                       pg_indexes_size(t.relid) as indexes
                from pg_stat_user_tables t
                where t.schemaname = 'queen'
            ) x),
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
            ) x))::text;
end
$$;
