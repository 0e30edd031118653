create function :api.operation_response(
    kind text, details jsonb, changed bigint, messages bigint, running uuid default null, processed bigint default null,
    estimate bigint default null)
returns jsonb
language sql immutable
as $$
-- Promise:  returns the response to the request that began an operation.
-- Params:   kind and details of the operation; changed, messages: the changes so far of all operations of the request; running: the id of
--           the request if one of its operations is running, otherwise null; processed, estimate: how many partitions are done, and of how
--           many.
-- Returns:  the object of the contract; while the request is running, with inProgress, operationId, partitionsDone, partitionsTotal.
-- Locks:    none.
-- Writes:   nothing
select details -> 'response'
    || case kind
           when 'seek' then jsonb_build_object(
               'partitionsUpdated', case when (details ->> 'isReader')::boolean then changed else 0 end)
           when 'clear' then jsonb_build_object('cleared', messages, 'message', messages || ' messages are gone')
           when 'delete_group' then jsonb_build_object('deletedPartitions', changed)
           else '{}' end
    || case when running is null then '{}' else jsonb_build_object(
           'inProgress', true, 'operationId', running, 'partitionsDone', processed,
           'partitionsTotal', greatest(estimate, processed)) end
$$;
