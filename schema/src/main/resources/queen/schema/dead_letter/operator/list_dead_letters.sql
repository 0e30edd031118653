create function :api.list_dead_letters(
    queue text, partition text, group_name text, error text, from_at timestamptz, to_at timestamptz, page bigint, skipped bigint,
    sealed_errors text[] default null, scope uuid[] default null)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns a page of dead letters, newest failure first, with up to four megabytes of payloads.
-- Params:   the filter, as in search_dead_letters; page: the page size; skipped: number of rows before the page. scope: only these queues;
--           null for all.
-- Returns:  {messages, total, pagination}; total is counted up to 100,000.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_variable
declare
    of_queue    uuid := :api.queue_id_of(queue);
    found_keys  record;
begin
    select array_agg(k.target_id order by k.at desc, k.target_id, k.place desc, k.reader) as partitions,
           array_agg(k.reader order by k.at desc, k.target_id, k.place desc, k.reader) as readers,
           array_agg(k.place order by k.at desc, k.target_id, k.place desc, k.reader) as places
    into found_keys
    from (
        select k.*
        from :api.search_dead_letters(of_queue, partition, group_name, error, from_at, to_at, null, page + skipped, true, scope, sealed_errors) k
        order by k.at desc, k.target_id, k.place desc, k.reader
        limit page
        offset skipped
    ) k;
    return json_build_object(
        'messages', coalesce((
            select json_agg(:api.dead_letter_document(d.dead, d.omitted_bytes) order by d.index)
            from :api.dead_letters_at(coalesce(found_keys.partitions, '{}'), found_keys.readers, found_keys.places) d), '[]'),
        'total', least(100000, (
            select count(*) from :api.search_dead_letters(of_queue, partition, group_name, error, from_at, to_at, null, 100000, true, scope, sealed_errors))),
        'pagination', json_build_object('limit', page, 'offset', skipped))::text;
end
$$;
