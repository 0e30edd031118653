create function :api.list_shards()
returns text
language plpgsql stable
as $$
-- Promise:  returns the location, size, contents and number of written rows of every shard. An unreachable shard is listed with the error;
--           the others are not affected.
-- Params:   none.
-- Returns:  {timestamp, isCitus, nodes: [{host, port, shards, bytes, rowsWritten}], shards: [{number, schema, host, port, trouble, bytes,
--           rowsWritten, partitions, messages, pending, move: {host, port, bytes, movedBytes}}]}. The counts of a shard with trouble are
--           null. rowsWritten: since the last reset of the statistics of PostgreSQL.
-- Locks:    none.
-- Writes:   nothing
declare
    is_citus    boolean := to_regclass('pg_catalog.pg_dist_node') is not null;
    here_host   text := coalesce(host(inet_server_addr()), 'localhost');
    here_port   int := coalesce(inet_server_port(), current_setting('port')::int);
    place       record;
    counted     record;
    troubles    jsonb := '{}';
    counts      jsonb := '{}';
    shards      json;
begin
    for place in select p.name from :api.shard_places() p loop
        begin
            execute format('select coalesce(sum(d.partitions), 0) as partitions, coalesce(sum(d.total), 0) as messages, '
                           'coalesce(sum(d.pending), 0) as pending from %I.queue_depth d', place.name)
            into counted;
            counts := counts || jsonb_build_object(place.name, to_jsonb(counted));
        exception
            when query_canceled then
                raise;
            when others then
                troubles := troubles || jsonb_build_object(place.name, sqlerrm);
        end;
    end loop;

    select json_agg(json_build_object(
               'number', p.number, 'schema', p.name, 'host', coalesce(p.host, here_host), 'port', coalesce(p.port, here_port),
               'trouble', troubles ->> p.name,
               'bytes', case when troubles ->> p.name is null then t.bytes end,
               'rowsWritten', case when troubles ->> p.name is null then t.written end,
               'partitions', counts -> p.name -> 'partitions', 'messages', counts -> p.name -> 'messages',
               'pending', counts -> p.name -> 'pending',
               'move', case when m.shard is not null then json_build_object(
                   'host', m.host, 'port', m.port, 'bytes', m.bytes, 'movedBytes', m.moved_bytes) end) order by p.number)
    into shards
    from :api.shard_places() p
    left join (
        select s.shard, sum(s.total_bytes) as bytes, sum(s.written) as written from :api.table_stats() s group by s.shard
    ) t on t.shard = p.name
    left join :api.shard_moves() m on m.shard = p.name;

    return json_build_object(
        'timestamp', :api.iso_millis(clock_timestamp()),
        'isCitus', is_citus,
        'nodes', (
            select json_agg(json_build_object('host', n.host, 'port', n.port, 'shards', n.shards, 'bytes', n.bytes,
                                              'rowsWritten', n.written) order by n.host, n.port)
            from (
                select s.host, s.port, count(*) as shards, sum(s.bytes) as bytes, sum(s."rowsWritten") as written
                from json_to_recordset(shards) as s (host text, port int, bytes bigint, "rowsWritten" bigint)
                group by s.host, s.port
            ) n),
        'shards', shards)::text;
end
$$;
