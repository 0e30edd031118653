create function :api.queues_of(queue text, namespace text, task text, scope uuid[] default null)
returns uuid[]
language sql stable
as $$
-- Promise:  the queues a filter speaks of.
-- Params:   a queue's name, a namespace, a task; null for any. scope: only these queues; null for all.
-- Returns:  the ids of the queues that match; null when there is no filter at all.
-- Locks:    nothing.
-- Writes:   nothing
    select case when coalesce(queue, namespace, task) is not null or scope is not null then array(
        select q.id
        from queen.queue q
        where (queues_of.queue is null or q.name = queues_of.queue)
          and (queues_of.namespace is null or q.namespace = queues_of.namespace)
          and (queues_of.task is null or q.task = queues_of.task)
          and (scope is null or q.id = any (scope))) end;
$$;
