create function :api.list_dead_letter_errors(
    queue text, partition text, group_name text, error text, from_at timestamptz, to_at timestamptz, page bigint, skipped bigint,
    sealed_errors text[] default null, scope uuid[] default null)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns the newest 100,000 dead letters grouped by error, queue and group, most frequent first.
-- Params:   the filter, as in search_dead_letters; page: the page size; skipped: number of groups before the page. scope: only these
--           queues; null for all.
-- Returns:  {errors: [{error, count, firstFailedAt, lastFailedAt, queue, consumerGroup}], total, pagination}.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_variable
declare
    of_queue    uuid := :api.queue_id_of(queue);
    result      text;
begin
    with counted as (
        select d.error as reason, d.queue_id, d.group_name as reader, count(*) as count,
               min(d.failed_at) as first_at, max(d.failed_at) as last_at
        from (
            select d.reason as error, d.of_queue as queue_id, d.reader as group_name, d.at as failed_at
            from :api.search_dead_letters(of_queue, partition, group_name, error, from_at, to_at, null, 100000, true, scope, sealed_errors) d
            order by d.at desc
            limit 100000
        ) d
        group by 1, 2, 3
    ), shown as (
        select c.*
        from counted c
        order by c.count desc, c.last_at desc, c.reason, c.reader
        limit page
        offset skipped
    )
    select json_build_object(
        'errors', coalesce((
            select json_agg(json_build_object('error', s.reason, 'count', s.count, 'firstFailedAt', :api.iso_millis(s.first_at),
                'lastFailedAt', :api.iso_millis(s.last_at), 'queue', q.name, 'consumerGroup', s.reader)
                order by s.count desc, s.last_at desc, s.reason, s.reader)
            from shown s
            join queen.queue q on q.id = s.queue_id), '[]'),
        'total', (select count(*) from counted),
        'pagination', json_build_object('limit', page, 'offset', skipped))::text
    into result;
    return result;
end
$$;
