create function :api.supersede_operations(queue_id uuid, kinds text[], group_name text)
returns void
language plpgsql volatile
as $$
-- Promise:  ends the running operations of these kinds: the operation of the caller includes them.
-- Params:   the queue, which the caller has locked; kinds; the group, null for all groups.
-- Returns:  nothing.
-- Locks:    queen.operation rows, ascending by id; waits for a page in progress.
-- Writes:   queen.operation
#variable_conflict use_column
declare
    at  timestamptz := clock_timestamp();
begin
    perform from queen.operation o
    where o.status = 'running' and o.queue_id = supersede_operations.queue_id and o.kind = any (kinds)
      and (supersede_operations.group_name is null or o.group_name = supersede_operations.group_name)
    order by o.id
    for update;
    update queen.operation o
    set status = 'superseded', finished_at = at
    where o.status = 'running' and o.queue_id = supersede_operations.queue_id and o.kind = any (kinds)
      and (supersede_operations.group_name is null or o.group_name = supersede_operations.group_name);
end
$$;
