create function :api.list_trace_names(page bigint, skipped bigint)
returns text
language sql stable
as $$
-- Promise:  returns a page of the names of traces, last used first.
-- Params:   page: the page size; skipped: number of rows before the page.
-- Returns:  {trace_names: [{trace_name, trace_count, message_count, last_seen}], total, pagination}; total is counted up to 100,000.
-- Locks:    none.
-- Writes:   nothing
select json_build_object(
    'trace_names', coalesce((
        select json_agg(json_build_object('trace_name', n.name, 'trace_count', n.trace_count, 'message_count', n.message_count,
            'last_seen', :api.iso_millis(n.last_seen)) order by n.last_seen desc, n.name)
        from (select n.* from queen.trace_name n order by n.last_seen desc, n.name limit page offset skipped) n), '[]'),
    'total', (select count(*) from (select 1 from queen.trace_name limit 100000) n),
    'pagination', json_build_object('limit', page, 'offset', skipped))::text
$$;
