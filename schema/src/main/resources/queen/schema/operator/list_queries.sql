create function :api.list_queries("limit" bigint, after text)
returns text
language sql stable
as $$
-- Promise:  the stream queries, by name.
-- Params:   how many; the name after which to begin, null for the first.
-- Returns:  {queries: [as query_document]}.
-- Locks:    none.
-- Writes:   nothing
select json_build_object('queries', coalesce(json_agg(:api.query_document(q) order by q.name), '[]'))::text
from (
    select q.*
    from queen.stream_query q
    where list_queries.after is null or q.name > list_queries.after
    order by q.name
    limit list_queries."limit"
) q
$$;
