create function :api.operation_documents(queue_id uuid, rows_max bigint, scope uuid[] default null)
returns json
language plpgsql stable
as $$
-- Promise:  returns operations as JSON documents, newest first.
-- Params:   queue_id: only running operations of this queue; null for all queues, including finished operations; rows_max. scope: only
--           these queues; null for all.
-- Returns:  an array; partitionsTotal is the number of partitions as last counted, null if they were not counted.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select coalesce(json_agg(json_build_object(
            'id', o.id, 'operationId', o.request_id, 'kind', o.kind, 'status', o.status, 'queue', o.queue_name,
            'partition', o.partition_name, 'consumerGroup', o.group_name, 'actor', o.actor,
            'partitionsDone', o.processed, 'partitionsTotal', greatest(o.estimate, o.processed),
            'partitionsChanged', o.changed, 'messagesRemoved', o.messages,
            'startedAt', :api.iso_millis(o.marked_at), 'finishedAt', :api.iso_millis(o.finished_at)) order by o.marked_at desc, o.id), '[]')
        from (
            select o.*
            from queen.operation o
            where (operation_documents.queue_id is null
                   or o.queue_id = operation_documents.queue_id and o.status = 'running')
              and (scope is null or o.queue_id = any (scope))
            order by o.marked_at desc, o.id
            limit rows_max
        ) o);
end
$$;
