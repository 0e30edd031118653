create function :api.list_namespaces(scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns every namespace with the number of its queues and messages, from sums per queue.
-- Params:   scope: only these queues; null for all.
-- Returns:  {namespaces: [{namespace, queues, partitions, messages: {total, pending}}]}.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select json_build_object('namespaces', coalesce(json_agg(json_build_object(
            'namespace', x.namespace,
            'queues', x.queues,
            'partitions', x.partitions,
            'messages', json_build_object('total', x.total, 'pending', x.pending)) order by x.namespace), '[]'))::text
        from (
            select q.namespace, count(*) as queues, coalesce(sum(d.partitions), 0) as partitions, coalesce(sum(d.total), 0) as total,
                   coalesce(sum(d.pending), 0) as pending
            from queen.queue q
            left join queue_depth d on d.queue_id = q.id
            where scope is null or q.id = any (scope)
            group by q.namespace
        ) x);
end
$$;
