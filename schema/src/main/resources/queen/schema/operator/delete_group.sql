create function :api.delete_group(actor text, group_name text, queue text, is_metadata_deleted boolean)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
as $$
-- Promise:  the group has no cursor any more, in one queue or in any: it begins again as its subscription says, which is deleted
--           with it or stays. Leases are over. Dead letters stay.
-- Params:   queue: only this one; null for all. is_metadata_deleted: subscriptions and pauses go, too.
-- Returns:  {success, consumerGroup, queueName, deletedPartitions, metadataDeleted}; null when there is no such queue.
-- Locks:    queen.queue rows, ascending by id; then, shard by shard, the group's cursor rows, ascending by partition_id; queen.catalog.
-- Writes:   cursor, failure, queen.subscription, queen.group_pause, group_depth, what queue_revised writes, queen.audit
#variable_conflict use_column
declare
    queues  uuid[];
    lanes   uuid[];
    deleted bigint := 0;
    shard   text;
    answer  jsonb;
begin
    if queue is not null then
        queues := array(select q.id from queen.queue q where q.name = delete_group.queue for no key update);
        if cardinality(queues) = 0 then
            return null;
        end if;
    else
        -- Which queues it reads is only known from the cursors themselves; where it is only subscribed, it may be counted.
        queues := array(
            select p.queue_id
            from cursor c
            join partition p on p.id = c.partition_id
            where c.group_name = delete_group.group_name
            union
            select g.queue_id
            from group_depth g
            where g.group_name = delete_group.group_name);
        perform from queen.queue q where q.id = any (queues) order by q.id for no key update;
    end if;
    foreach shard in array :api.shards() loop
        perform :api.enter(shard);
        lanes := array(
            select c.partition_id
            from partition p
            join cursor c on c.partition_id = p.id and c.group_name = delete_group.group_name
            where p.queue_id = any (queues)
            order by c.partition_id
            for update of c);
        delete from cursor c where c.partition_id = any (lanes) and c.group_name = delete_group.group_name;
        delete from cursor_key k where k.partition_id = any (lanes) and k.group_name = delete_group.group_name;
        delete from failure x where x.partition_id = any (lanes) and x.group_name = delete_group.group_name;
        deleted := deleted + cardinality(lanes);
        -- Lists show it no more from now on; what lanes have added for it is not taken out of the sums of a later group of its name.
        if is_metadata_deleted then
            delete from group_depth g where g.queue_id = any (queues) and g.group_name = delete_group.group_name;
        end if;
    end loop;

    if is_metadata_deleted then
        delete from queen.subscription s
        where s.group_name = delete_group.group_name
          and (delete_group.queue is null or s.queue_name = delete_group.queue);
        delete from queen.group_pause g
        where g.group_name = delete_group.group_name
          and (delete_group.queue is null or g.queue_id = any (queues));
    else
        -- Where "new" began was written in the cursors; without them the moment of subscribing says it.
        update queen.subscription s
        set mode = 'timestamp',
            from_at = s.subscribed_at
        where s.group_name = delete_group.group_name
          and (delete_group.queue is null or s.queue_name = delete_group.queue)
          and s.mode = 'new';
    end if;
    update queen.catalog set subscription_version = subscription_version + 1, version = version + 1;
    perform :api.queue_revised(q.id) from unnest(queues) as q (id);

    answer := jsonb_build_object('success', true, 'consumerGroup', delete_group.group_name,
        'deletedPartitions', deleted, 'metadataDeleted', is_metadata_deleted);
    if queue is not null then
        answer := answer || jsonb_build_object('queueName', delete_group.queue);
    end if;
    perform :api.audit(actor, 'delete', concat('group ', delete_group.group_name, ' on queue ' || delete_group.queue), answer, null);
    return answer::text;
end
$$;
