create function :api.continue_deletion(queue text)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  processes the next page of the deletion of a queue, if it is not finished.
-- Params:   the name of the deleted queue.
-- Returns:  {deleted, queue, existed}, with inProgress and operationId while partitions are left.
-- Locks:    what continue_operation locks.
-- Writes:   what continue_operation writes
declare
    running uuid;
begin
    select o.request_id into running
    from queen.operation o
    where o.kind = 'delete_queue' and o.status = 'running' and o.queue_name = continue_deletion.queue
    order by o.marked_at desc
    limit 1;
    if not found then
        return json_build_object('deleted', true, 'queue', continue_deletion.queue, 'existed', true)::text;
    end if;
    return :api.continue_request(running, 1000);
end
$$;
