create function :api.list_queries("limit" bigint, after text, scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns the stream queries, by name.
-- Params:   limit: the page size; after: only queries after this name, null for the first page. scope: only queries between these queues;
--           null for all.
-- Returns:  {queries: [as query_document]}.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    shown   queen.stream_query;
    queries jsonb[] := '{}';
begin
    for shown in
        select q.*
        from queen.stream_query q
        where (list_queries.after is null or q.name > list_queries.after)
          and (scope is null
               or exists (select 1 from queen.queue s where s.name = q.source_queue and s.id = any (scope))
                  and (q.sink_queue is null
                       or exists (select 1 from queen.queue s where s.name = q.sink_queue and s.id = any (scope))))
        order by q.name
        limit list_queries."limit"
    loop
        queries := queries || :api.query_document(shown);
    end loop;
    return json_build_object('queries', array_to_json(queries))::text;
end
$$;
