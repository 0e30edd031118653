create function :api.show_query(name text, "limit" bigint, after text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns one stream query with a page of its partitions.
-- Params:   the name of the query; limit: the page size; after: only partitions after this name, null for the first page.
-- Returns:  as query_document, with partitions: [{partitionId, partition, stateRows, stateBytes, cycles, flushes, messages, emitted,
--           lastCycleAt, unread, leasedUntil, idleExpiries, idleSince}], by name; null if the query does not exist.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    shown queen.stream_query;
begin
    select q.* into shown from queen.stream_query q where q.name = show_query.name;
    if not found then
        return null;
    end if;
    return (:api.query_document(shown) || jsonb_build_object('partitions', coalesce((
        select jsonb_agg(l.document order by l.found_name)
        from (
            select l.*
            from :api.query_partitions(shown.id, coalesce(show_query.after, ''), show_query."limit") l
            order by l.found_name
            limit show_query."limit"
        ) l), '[]')))::text;
end
$$;
