create function :api.begin_operation(begun queen.operation, partitions_max int)
returns queen.operation
language plpgsql volatile
as $$
-- Promise:  processes the first partitions of an operation in the transaction of the caller, exactly as of now. If partitions are left, the
--           operation is recorded: upkeep and the server that received the request continue it.
-- Params:   begun: the operation, as new_operation returned it; the caller has locked its queue. partitions_max: how many partitions to
--           process now.
-- Returns:  the operation, finished or running.
-- Locks:    what operation_page locks.
-- Writes:   queen.operation, what operation_page writes
#variable_conflict use_column
declare
    old_before timestamptz := clock_timestamp() - interval '7 days';
begin
    -- A later operation must not overtake a running one on the same cursors.
    if partitions_max > 0 and not exists (
        select 1 from queen.operation o
        where o.status = 'running' and o.queue_id = begun.queue_id and o.group_name = begun.group_name
    ) then
        begun := :api.operation_page(begun, partitions_max, true);
    end if;
    if begun.status = 'running' then
        perform :api.select_shard('queen');
        begun.estimate := (select sum(d.partitions) from queue_depth d where d.queue_id = begun.queue_id);
        delete from queen.operation o where o.status <> 'running' and o.finished_at < old_before;
        insert into queen.operation (
            id, request_id, kind, actor, queue_id, queue_name, group_name, partition_name, details, marked_at, shard, after_name,
            processed, changed, messages, estimate)
        values (
            begun.id, begun.request_id, begun.kind, begun.actor, begun.queue_id, begun.queue_name, begun.group_name, begun.partition_name,
            begun.details, begun.marked_at, begun.shard, begun.after_name, begun.processed, begun.changed, begun.messages, begun.estimate);
    end if;
    return begun;
end
$$;
