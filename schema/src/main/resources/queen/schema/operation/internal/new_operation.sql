create function :api.new_operation(
    kind text, actor text, queue_id uuid, queue_name text, group_name text, partition_name text, details jsonb,
    request_id uuid default null, marked_at timestamptz default null)
returns queen.operation
language plpgsql volatile
as $$
-- Promise:  returns an operation that has not begun. begin_operation stores it, if necessary.
-- Params:   the columns of queen.operation; request_id, marked_at: of the first operation of the same request, null for the first.
-- Returns:  the operation.
-- Locks:    none.
-- Writes:   nothing
declare
    fresh queen.operation;
begin
    fresh.id := gen_random_uuid();
    fresh.request_id := coalesce(new_operation.request_id, fresh.id);
    fresh.kind := new_operation.kind;
    fresh.actor := new_operation.actor;
    fresh.queue_id := new_operation.queue_id;
    fresh.queue_name := new_operation.queue_name;
    fresh.group_name := new_operation.group_name;
    fresh.partition_name := new_operation.partition_name;
    fresh.details := new_operation.details;
    fresh.marked_at := coalesce(new_operation.marked_at, clock_timestamp());
    fresh.shard := 0;
    fresh.after_name := '';
    fresh.processed := 0;
    fresh.changed := 0;
    fresh.messages := 0;
    fresh.status := 'running';
    return fresh;
end
$$;
