create function :api.list_dead_letters(
    queue text, partition text, group_name text, error text, from_at timestamptz, to_at timestamptz, page bigint, skipped bigint)
returns text
language plpgsql stable
as $$
-- Promise:  a page of dead letters, newest failure first, with their payloads as long as these are no more than four megabytes.
-- Params:   the filter, as in search_dead_letters; how many, and how many before them.
-- Returns:  {messages, total, pagination}; the total is counted up to 100,000.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_variable
declare
    of_queue uuid := :api.queue_id_of(queue);
begin
    return json_build_object(
        'messages', coalesce((
            select json_agg(:api.dead_letter_document(d, (4 << 20) - x.before)
                order by d.failed_at desc, d.partition_id, d.message_offset desc, d.group_name)
            from (
                -- What is too large for any page takes no room of the others.
                select x.whole, coalesce(sum(octet_length((x.whole).line)) filter (where octet_length((x.whole).line) <= 4 << 20)
                           over (rows between unbounded preceding and 1 preceding), 0) as before
                from (
                    select d as whole
                    from :api.search_dead_letters(
                        of_queue, partition, group_name, error, from_at, to_at, null, true, page + skipped) d
                    order by d.failed_at desc, d.partition_id, d.message_offset desc, d.group_name
                    limit page
                    offset skipped
                ) x
            ) x
            cross join lateral (select (x.whole).*) d), '[]'),
        'total', (
            select count(*)
            from (
                select 1 from :api.search_dead_letters(
                    of_queue, partition, group_name, error, from_at, to_at, null, true, 100000)
            ) d),
        'pagination', json_build_object('limit', page, 'offset', skipped))::text;
end
$$;
