create function :api.status_queues(namespace text, task text, "limit" bigint, "offset" bigint, scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns a page of queues, newest first, with their message counts.
-- Params:   namespace, task: null for any; limit, offset: the page. scope: only these queues; null for all.
-- Returns:  {queues: [{id, name, namespace, task, createdAt, partitions, messages: {total, pending, processing}}], pagination}; pending
--           includes leased messages.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    found_count bigint;
    listed      json;
begin
    select count(*) into found_count
    from queen.queue q
    where (status_queues.namespace is null or q.namespace = status_queues.namespace)
      and (status_queues.task is null or q.task = status_queues.task)
      and (scope is null or q.id = any (scope));

    with page as (
        select q.id, q.name, q.namespace, q.task, q.created_at
        from queen.queue q
        where (status_queues.namespace is null or q.namespace = status_queues.namespace)
          and (status_queues.task is null or q.task = status_queues.task)
      and (scope is null or q.id = any (scope))
        order by q.created_at desc, q.name
        limit status_queues."limit" offset status_queues."offset"
    )
    select json_agg(json_build_object(
               'id', p.id, 'name', p.name, 'namespace', p.namespace, 'task', p.task,
               'createdAt', :api.iso_millis(p.created_at), 'partitions', coalesce(t.partitions, 0),
               'messages', json_build_object(
                   'total', coalesce(t.total, 0), 'pending', coalesce(t.pending + t.processing, 0),
                   'processing', coalesce(t.processing, 0))) order by p.created_at desc, p.name)
    into listed
    from page p
    left join queue_depth t on t.queue_id = p.id;

    return json_build_object(
        'queues', coalesce(listed, '[]'),
        'pagination', json_build_object('limit', status_queues."limit", 'offset', status_queues."offset",
                                        'total', found_count))::text;
end
$$;
