create function :api.delete_queue(actor text, name text, partitions_max int default 2000)
returns boolean
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  the queue does not exist any more, nor what groups subscribed to it by name; subscriptions to namespaces and tasks stay,
--           and so do stream queries. Its partitions, messages, cursors, dead letters, traces and the state of stream queries in
--           its partitions are removed in this transaction, or, where there are more partitions than partitions_max, in pages: see
--           queen.operation. The name is free at once, and a queue that is created with it has nothing in common with this one.
-- Params:   actor: the caller, for the audit; the queue's name; how many partitions to remove in this transaction.
-- Returns:  whether there was such a queue.
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
        jsonb_build_object('answer', jsonb_build_object('deleted', true, 'queue', was.name, 'existed', true))), partitions_max);
    perform :api.enter('queen');
    -- Otherwise a queue that is created with this name would have readers. A group that still pops from it subscribes again.
    delete from queen.subscription s where s.queue_name = delete_queue.name;
    delete from queen.queue q where q.id = was.id;
    -- A deletion may wait for counting here, so it does not hold the catalog yet. Counting waits for nothing that a deletion holds but
    -- these rows.
    foreach shard in array :api.shards() loop
        perform :api.enter(shard);
        delete from queue_depth d where d.queue_id = was.id;
    end loop;
    perform :api.enter('queen');
    perform :api.audit(actor, 'delete', 'queue ' || delete_queue.name, :api.queue_options(was) || jsonb_strip_nulls(jsonb_build_object(
        'partitions', sent.changed, 'operation', case when sent.status = 'running' then sent.request_id end)), null);
    if sent.status = 'running' then
        -- A server that still has the queue in its catalog could push to a partition that is about to be removed. With another
        -- epoch its pushes are rejected until it has reloaded the catalog.
        update queen.system_state s set encryption_epoch = s.encryption_epoch + 1 where s.is_the_only_row;
    end if;
    update queen.catalog set version = version + 1;
    return true;
end
$$;
