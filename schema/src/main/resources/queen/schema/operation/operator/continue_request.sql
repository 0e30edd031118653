create function :api.continue_request(request_id uuid, partitions_max int)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  processes the next page of a request that was recorded as one or more operations, and returns its progress.
-- Params:   the operationId of its response; the maximum number of partitions.
-- Returns:  the present response, with inProgress while any of its operations is running; null if there is no such request.
-- Locks:    what continue_operation locks.
-- Writes:   what continue_operation writes
#variable_conflict use_column
declare
    next    uuid;
    result  jsonb;
begin
    select o.id into next
    from queen.operation o
    where o.request_id = continue_request.request_id
      and o.status = 'running'
      and not exists (
          select 1 from queen.operation e
          where e.status = 'running' and e.queue_id = o.queue_id and e.group_name = o.group_name
            and (e.marked_at, e.id) < (o.marked_at, o.id))
    order by o.id
    limit 1;
    if found then
        perform :api.continue_operation(next, partitions_max);
    end if;
    select :api.operation_response(min(o.kind), (array_agg(o.details))[1], sum(o.changed)::bigint, sum(o.messages)::bigint,
                                   (array_agg(o.request_id) filter (where o.status = 'running'))[1], sum(o.processed)::bigint, sum(o.estimate)::bigint)
    into result
    from queen.operation o
    where o.request_id = continue_request.request_id;
    return result::text;
end
$$;
