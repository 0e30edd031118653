create function :api.consumed_queues(queue_ids uuid[])
returns json
language plpgsql stable
as $$
-- Promise:  returns the 100 queues with the most consumed messages since their creation.
-- Params:   queue_ids: the queues to choose from; null for all.
-- Returns:  [{id, name, namespace, task, partitions, totalConsumed}]
-- Locks:    none.
-- Writes:   nothing
begin
    return (
    with top as (
        select q.id, q.name, q.namespace, q.task, coalesce(l.ack_success, 0) as consumed
        from queen.queue q
        left join queen.queue_lifetime l on q.id = l.queue_id
        where queue_ids is null or q.id = any (queue_ids)
        order by coalesce(l.ack_success, 0) desc, q.name
        limit 100
    )
    select coalesce(json_agg(json_build_object(
               'id', t.id, 'name', t.name, 'namespace', t.namespace, 'task', t.task, 'partitions', coalesce(x.partitions, 0),
               'totalConsumed', t.consumed) order by t.consumed desc, t.name), '[]')
    from top t
    left join queue_depth x on t.id = x.queue_id);
end
$$;
