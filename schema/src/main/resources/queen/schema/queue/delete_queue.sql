create function :api.delete_queue(actor text, name text, partitions_max int default 2000)
returns boolean
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  deletes the queue and the subscriptions to it by name; subscriptions to namespaces and tasks stay, and so do stream queries.
--           Its partitions, messages, cursors, dead letters, traces and the state of stream queries in its partitions are deleted in this
--           transaction, or, if there are more partitions than partitions_max, in pages: see queen.operation. The name is free at once, and
--           a new queue with this name shares nothing with this one.
-- Params:   actor: the caller, for the audit log; the name of the queue; partitions_max: the maximum number of partitions to delete in this
--           transaction.
-- Returns:  whether the queue existed.
-- Locks:    the queen.queue row, so that no partition or cursor can be added; queen.operation rows; then, shard by shard, its
--           partition rows, ascending by id, its cursor rows, ascending by (partition_id, group_name), and stream_partition rows;
--           queue_depth rows; queen.system_state; queen.catalog.
-- Writes:   every table that names the queue or its partitions; queen.operation, queen.system_state, queen.catalog, queen.audit
#variable_conflict use_column
declare
    was     queen.queue;
    sent    queen.operation;
    shard   text;
begin
    select q.* into was from queen.queue q where q.name = delete_queue.name for update;
    if not found then
        return false;
    end if;
    perform :api.supersede_operations(was.id, array['clear', 'seek', 'subscribe', 'delete_group'], null);
    sent := :api.begin_operation(:api.new_operation('delete_queue', actor, was.id, was.name, null, null,
        jsonb_build_object('response', jsonb_build_object('deleted', true, 'queue', was.name, 'existed', true))), partitions_max);
    perform :api.select_shard('queen');
    -- Otherwise a new queue with this name would have groups. A group that still pops from it subscribes again.
    delete from queen.subscription s where s.queue_name = delete_queue.name;
    delete from queen.queue q where q.id = was.id;
    -- This may wait for counting, so the catalog must not be locked yet. Counting waits for no lock of a deletion except these rows.
    foreach shard in array :api.shards() loop
        perform :api.select_shard(shard);
        delete from queue_depth d where d.queue_id = was.id;
    end loop;
    perform :api.select_shard('queen');
    perform :api.audit(actor, 'delete', 'queue ' || delete_queue.name, :api.queue_options(was) || jsonb_strip_nulls(jsonb_build_object(
        'partitions', sent.changed, 'operation', case when sent.status = 'running' then sent.request_id end)), null);
    if sent.status = 'running' then
        -- A server that still has the queue in its catalog could push to a partition that is about to be deleted. With another epoch its
        -- pushes are rejected until it has reloaded the catalog.
        update queen.system_state s set encryption_epoch = s.encryption_epoch + 1 where s.is_the_only_row;
    end if;
    update queen.catalog set version = version + 1;
    return true;
end
$$;
