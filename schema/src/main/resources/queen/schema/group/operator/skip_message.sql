create function :api.skip_message(actor text, group_name text, queue text, partition text, is_to_dlq boolean)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  skips the first unfinished message of the group in a partition: it is counted as skipped, or stored as a dead letter. A lease
--           on the partition ends; out-of-order acks of other messages stay.
-- Params:   the group, the queue, the partition; is_to_dlq: store a dead letter.
-- Returns:  {success, consumerGroup, queueName, partitionName, skippedOffset, toDlq, cursorMovedTo}; null if the partition does not exist
--           or the group does not read it.
-- Locks:    the queen.queue row, for key share; the queen.queue_size row; then the cursor row; queen.catalog.
-- Writes:   queen.queue_size, cursor, cursor_key, failure, dead_letter, queen.revised_partition, queen.catalog, queen.audit
#variable_conflict use_column
declare
    target_id       uuid;
    partition_row   record;
    place           bigint;
    tries           int;
    moved           bigint;
    skipped         constant text := 'skipped by an operator';
begin
    perform from queen.queue q where q.name = skip_message.queue for key share;
    select :api.partition_id(q.id, skip_message.partition) into target_id from queen.queue q where q.name = skip_message.queue;
    perform :api.select_shard(:api.shard_of(coalesce(target_id, gen_random_uuid())));
    select p.* into partition_row from :newest_partition(target_id) p;
    if not found or not :api.is_reader(skip_message.group_name, partition_row.queue_id) then
        return null;
    end if;

    -- A group without a cursor has finished nothing: the size of a queue with a limit must be counted before the next push.
    if exists (select 1 from queen.queue_size z where z.queue_id = partition_row.queue_id) then
        update queen.queue_size z set size = null where z.queue_id = partition_row.queue_id;
    end if;
    -- The start offset of the group; unused if it has a cursor.
    select s.first into place from :api.delivery_states(array[partition_row.id], array[skip_message.group_name]) s;
    perform :api.insert_cursors(array[partition_row.id], array[skip_message.group_name], array[place]);
    select :api.first_unread(c.committed, partition_row.tail, c.acked, partition_row.removed)
    into place
    from cursor c
    where c.partition_id = partition_row.id and c.group_name = skip_message.group_name
    for update;
    if place >= partition_row.head then
        raise exception 'there is no unread message to skip' using errcode = 'QN400';
    end if;

    select x.attempts into tries
    from :failure_of(partition_row.id, skip_message.group_name, place) x;
    if is_to_dlq then
        perform :api.insert_dead_letters(array[partition_row.id], array[skip_message.group_name], array[1], array[place],
                                         array[coalesce(tries, 0)], array[skipped], array['operator']);
    end if;
    update cursor c
    set committed = place,
        acked = nullif(c.acked - int8multirange(int8range(null, place)), '{}'::int8multirange),
        lease_id = null,
        lease_until = null,
        lease_end = null
    where c.partition_id = partition_row.id and c.group_name = skip_message.group_name;
    select a.committed into moved
    from :api.advance(array[1], array[partition_row.id], array[skip_message.group_name],
                      array[int8multirange(int8range(place, place + 1))], array[is_to_dlq::int]) a;
    update cursor c
    set completed_count = c.completed_count - 1,
        skipped_count = c.skipped_count + 1
    where c.partition_id = partition_row.id and c.group_name = skip_message.group_name
      and not is_to_dlq;

    perform :api.partition_revised(partition_row.id);
    perform :api.audit(actor, 'skip',
                       format('group %s on partition %s of queue %s', skip_message.group_name, skip_message.partition, skip_message.queue),
                       jsonb_build_object('offset', place), jsonb_build_object('offset', moved, 'toDlq', is_to_dlq));
    return json_build_object('success', true, 'consumerGroup', skip_message.group_name, 'queueName', skip_message.queue,
        'partitionName', skip_message.partition, 'skippedOffset', place, 'toDlq', is_to_dlq, 'cursorMovedTo', moved)::text;
end
$$;
