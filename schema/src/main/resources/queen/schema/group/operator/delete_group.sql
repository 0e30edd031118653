create function :api.delete_group(actor text, group_name text, queue text, is_metadata_deleted boolean, partitions_max int default 2000)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  deletes the cursors of the group, in one queue or in all queues; the group restarts at the start position of its subscription,
--           which is deleted or kept. Leases end. Dead letters stay. Cursors that are created from now on stay. If there are more partitions than
--           partitions_max, cursors are deleted in pages: see queen.operation.
-- Params:   queue: only this one; null for all. is_metadata_deleted: subscriptions and pauses are deleted, too; partitions_max: the maximum
--           number of partitions to process in this transaction.
-- Returns:  {success, consumerGroup, queueName, deletedPartitions, metadataDeleted}, with inProgress and operationId if partitions are
--           left; null if the queue does not exist.
-- Locks:    queen.queue rows, ascending by id, and with each its queen.operation rows and the group's cursor rows, shard by shard,
--           ascending by partition_id; queen.catalog.
-- Writes:   queen.operation, cursor, failure, queen.subscription, queen.group_pause, group_depth, what queue_revised writes, queen.audit
#variable_conflict use_column
declare
    queues              uuid[];
    changed             uuid[] := '{}';
    each_queue          record;
    first               queen.operation;
    sent                queen.operation;
    budget              int := partitions_max;
    deleted             bigint := 0;
    running             uuid;
    counting            uuid;
    changed_by_others   bigint;
    shard               text;
    response            jsonb := jsonb_build_object('success', true, 'consumerGroup', group_name, 'metadataDeleted', is_metadata_deleted);
begin
    if queue is not null then
        response := response || jsonb_build_object('queueName', delete_group.queue);
    end if;
    queues := array(select q.id from queen.queue q where delete_group.queue is null or q.name = delete_group.queue order by q.id);
    if queue is not null and queues = '{}' then
        return null;
    end if;
    perform from queen.queue q where q.id = any (queues) order by q.id for no key update;
    for each_queue in select q.id, q.name from queen.queue q where q.id = any (queues) order by q.id loop
        perform :api.supersede_operations(each_queue.id, array['seek', 'subscribe', 'delete_group'], delete_group.group_name);
        sent := :api.begin_operation(:api.new_operation(
            'delete_group', actor, each_queue.id, each_queue.name, delete_group.group_name, null, jsonb_build_object('response', response), first.request_id,
            first.marked_at), budget);
        if first.id is null then
            first := sent;
        end if;
        budget := budget - sent.processed;
        deleted := deleted + sent.changed;
        if sent.status = 'running' then
            running := sent.request_id;
        end if;
        if sent.status = 'running' or sent.changed > 0 then
            changed := changed || each_queue.id;
        end if;
        perform :api.select_shard('queen');
    end loop;
    -- Operations of the same request that finished at once are not stored: their counts are added to the first stored one.
    if running is not null then
        select min(o.id::text)::uuid, deleted - sum(o.changed) into counting, changed_by_others from queen.operation o where o.request_id = running;
        update queen.operation o set changed = o.changed + changed_by_others where o.id = counting;
    end if;
    -- Lists do not show the group any more. Its counts are not subtracted from the sums of a later group with the same name.
    if is_metadata_deleted then
        foreach shard in array :api.shards() loop
            perform :api.select_shard(shard);
            delete from group_depth g where g.queue_id = any (queues) and g.group_name = delete_group.group_name;
        end loop;
        perform :api.select_shard('queen');
    end if;

    if is_metadata_deleted then
        delete from queen.subscription s
        where s.group_name = delete_group.group_name
          and (delete_group.queue is null or s.queue_name = delete_group.queue);
        delete from queen.group_pause g
        where g.group_name = delete_group.group_name
          and (delete_group.queue is null or g.queue_id = any (queues));
    else
        -- The start of mode new was stored in the cursors; without them the time of the subscription replaces it.
        update queen.subscription s
        set mode = 'timestamp',
            from_at = s.subscribed_at
        where s.group_name = delete_group.group_name
          and (delete_group.queue is null or s.queue_name = delete_group.queue)
          and s.mode = 'new';
    end if;
    update queen.catalog set subscription_version = subscription_version + 1, version = version + 1;
    perform :api.queue_revised(q.id) from unnest(changed) as q (id);
    perform :api.audit(actor, 'delete', concat('group ', delete_group.group_name, ' on queue ' || delete_group.queue),
                       :api.operation_response('delete_group', jsonb_build_object('response', response), deleted, 0, running), null);
    return :api.operation_response('delete_group', jsonb_build_object('response', response), deleted, 0, running, partitions_max - budget,
        (select sum(o.estimate)::bigint from queen.operation o where o.request_id = running))::text;
end
$$;
