create function :api.list_named_traces(name text, page bigint, skipped bigint)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns a page of the traces with a name, oldest first, over all messages, with the payloads of their messages, up to 16
--           megabytes of segments in total.
-- Params:   the name; page: the page size; skipped: number of rows before the page.
-- Returns:  {traces, total, pagination}. If a payload is omitted, message_payload is null and is_payload_omitted is true.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    marks           record;
    part            record;
    here            record;
    places          bigint[] := '{}';
    queues          text[] := '{}';
    partition_names text[] := '{}';
    lines           text[] := '{}';
    bytes_left      bigint := 16 << 20;
begin
    select coalesce(array_agg(m.trace_id order by m.created_at, m.trace_id), '{}') as traces,
           coalesce(array_agg(m.partition_id order by m.created_at, m.trace_id), '{}') as partitions,
           array_agg(m.message_offset order by m.created_at, m.trace_id) as offsets
    into marks
    from (
        select m.trace_id, m.created_at, m.partition_id, m.message_offset
        from queen.trace_mark m
        where m.name = list_named_traces.name
        order by m.created_at, m.trace_id
        limit page
        offset skipped
    ) m;
    for part in select * from :api.shard_parts(marks.partitions) loop
        perform :api.select_shard(part.shard);
        select coalesce(array_agg(x.index), '{}') as places, array_agg(x.queue) as queues, array_agg(x.partition) as partitions,
               -- This text is not a line of a segment: the payload is omitted.
               array_agg(case when x.up_to > bytes_left then 'omitted' else l.line end) as lines,
               coalesce(max(x.up_to) filter (where x.up_to <= bytes_left), 0) as used
        into here
        from (
            select i.index, q.name as queue, p.name as partition, s.partition_id, s.base, sum(s.bytes) over (order by i.index) as up_to
            from unnest(part.indexes) as i (index)
            cross join lateral :newest_partition(marks.partitions[i.index]) p
            join queen.queue q on q.id = any (array[p.queue_id])
            left join lateral (
                select s.partition_id, s.base, octet_length(s.body) as bytes
                from segment s
                where s.partition_id = p.id and s.base <= marks.offsets[i.index]
                order by s.base desc
                limit 1
            ) s on true
            where marks.offsets[i.index] >= p.tail
        ) x
        left join lateral (
            select split_part(convert_from(s.body, 'UTF8'), e'\n', (marks.offsets[x.index] - s.base + 1)::int) as line
            from segment s
            where s.partition_id = x.partition_id
              and s.base = x.base
              and x.up_to <= bytes_left
        ) l on true;
        bytes_left := bytes_left - here.used;
        places := places || here.places;
        queues := queues || here.queues;
        partition_names := partition_names || here.partitions;
        lines := lines || here.lines;
    end loop;
    return json_build_object(
        'traces', coalesce((
            select json_agg(json_build_object('id', t.id, 'event_type', t.event_type, 'data', t.data, 'consumer_group', t.group_name,
                'worker_id', t.worker_id, 'created_at', :api.iso_millis(t.created_at), 'trace_names', t.names,
                'transaction_id', t.transaction_id, 'partition_id', t.partition_id, 'queue_name', x.queue, 'partition_name', x.partition,
                'message_payload', f.data, 'is_payload_omitted', x.line is not distinct from 'omitted') order by x.place)
            from unnest(places, queues, partition_names, lines) as x (place, queue, partition, line)
            join queen.trace t on t.id = any (array[marks.traces[x.place]])
            left join lateral :api.line_fields(x.line, t.partition_id, t.message_offset) f on true), '[]'),
        'total', coalesce((select n.trace_count from queen.trace_name n where n.name = list_named_traces.name), 0),
        'pagination', json_build_object('limit', page, 'offset', skipped))::text;
end
$$;
