create function :api.list_named_traces(name text, page bigint, skipped bigint)
returns text
language plpgsql stable
as $$
-- Promise:  a page of the traces filed under a name, oldest first, whatever message they are about.
-- Params:   the name; how many, and how many before them.
-- Returns:  {traces, total, pagination}.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select json_build_object(
            'traces', coalesce((
                select json_agg(json_build_object('id', t.id, 'event_type', t.event_type, 'data', t.data, 'consumer_group', t.group_name,
                    'worker_id', t.worker_id, 'created_at', :api.iso_millis(t.created_at), 'trace_names', t.names,
                    'transaction_id', t.transaction_id, 'partition_id', t.partition_id, 'queue_name', q.name, 'partition_name', p.name,
                    'message_payload', f.data) order by m.created_at, m.trace_id)
                from (
                    select m.trace_id, m.created_at
                    from queen.trace_mark m
                    where m.name = list_named_traces.name
                    order by m.created_at, m.trace_id
                    limit page
                    offset skipped
                ) m
                join queen.trace t on t.id = m.trace_id
                join partition p on p.id = t.partition_id
                join queen.queue q on q.id = p.queue_id
                left join lateral (
                    select split_part(convert_from(s.body, 'UTF8'), e'\n', (t.message_offset - s.base + 1)::int) as line
                    from segment s
                    where s.partition_id = t.partition_id and s.base <= t.message_offset
                    order by s.base desc
                    limit 1
                ) l on true
                left join lateral :api.line_fields(l.line) f on true
                where t.message_offset >= p.tail), '[]'),
            'total', coalesce((select n.trace_count from queen.trace_name n where n.name = list_named_traces.name), 0),
            'pagination', json_build_object('limit', page, 'offset', skipped))::text);
end
$$;
