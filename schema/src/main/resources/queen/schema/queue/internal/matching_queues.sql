create function :api.matching_queues(queue text, namespace text, task text, scope uuid[] default null)
returns uuid[]
language sql stable
as $$
-- Promise:  returns the queues that match a filter.
-- Params:   the name of a queue, a namespace, a task; null for any. scope: only these queues; null for all.
-- Returns:  the ids of the queues; null without a filter.
-- Locks:    none.
-- Writes:   nothing
    select case when coalesce(queue, namespace, task) is not null or scope is not null then array(
        select q.id
        from queen.queue q
        where (matching_queues.queue is null or q.name = matching_queues.queue)
          and (matching_queues.namespace is null or q.namespace = matching_queues.namespace)
          and (matching_queues.task is null or q.task = matching_queues.task)
          and (scope is null or q.id = any (scope))) end;
$$;
