create function :api.find_queries(query_ids uuid[])
returns table (index int, source_queue text)
language plpgsql stable
as $$
-- Promise:  returns the source queue of each query.
-- Params:   the queries.
-- Returns:  one row per existing query.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select i.index::int, q.source_queue
    from unnest(query_ids) with ordinality as i (query_id, index)
    cross join lateral (select q.source_queue from queen.stream_query q where q.id = i.query_id offset 0) q;
end
$$;
