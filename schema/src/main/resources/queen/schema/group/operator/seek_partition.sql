create function :api.seek_partition(
    actor text, group_name text, queue text, partition text, is_to_end boolean, is_to_beginning boolean,
    after_at timestamptz, place bigint, is_reader_only boolean default false)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  moves the cursor of the group in one partition: to the head, to the first stored message, to the first message after a time, or
--           to an offset. A lease on the partition ends. Creates the cursor if the group has none in the partition.
-- Params:   at most one of is_to_end, is_to_beginning, after_at and place; without them: to the end. is_reader_only: rejects a group that
--           does not read the queue, so that a mistyped name creates nothing.
-- Returns:  {success, consumerGroup, queueName, partitionName, updated, cursorMovedTo, cursorMovedFrom}; cursorMovedFrom is null for a
--           group without a cursor in the partition. Null if there is no such partition or reader.
-- Locks:    the queen.queue row, for key share; then the cursor row; queen.catalog.
-- Writes:   cursor, failure, queen.revised_partition, queen.catalog, queen.audit
#variable_conflict use_column
declare
    target_id       uuid;
    partition_row   record;
    was             bigint;
    target          bigint;
begin
    if is_to_end::int + is_to_beginning::int + (after_at is not null)::int + (place is not null)::int > 1 then
        raise exception 'give at most one of toEnd, toBeginning, timestamp and offset' using errcode = 'QN400';
    end if;
    perform from queen.queue q where q.name = seek_partition.queue for key share;
    select :api.partition_id(q.id, seek_partition.partition) into target_id from queen.queue q where q.name = seek_partition.queue;
    perform :api.select_shard(:api.shard_of(coalesce(target_id, gen_random_uuid())));
    select p.* into partition_row from :newest_partition(target_id) p;
    if not found or is_reader_only and not :api.is_reader(seek_partition.group_name, partition_row.queue_id) then
        return null;
    end if;
    if place not between partition_row.tail and partition_row.head then
        raise exception 'offset must be from % to %: that is what the partition keeps', partition_row.tail, partition_row.head using errcode = 'QN400';
    end if;

    target := case when place is not null then place when is_to_beginning then partition_row.tail
                   when after_at is not null then :offset_at(partition_row.id, partition_row.tail, partition_row.head, after_at + interval '1 microsecond')
                   else partition_row.head end;
    select c.committed into was
    from cursor c
    where c.partition_id = partition_row.id and c.group_name = seek_partition.group_name
    for update;
    perform :api.seek(array[partition_row.id], seek_partition.group_name, array[target]);
    perform :api.partition_revised(partition_row.id);
    perform :api.audit(actor, 'seek', format('group %s on partition %s of queue %s', seek_partition.group_name, seek_partition.partition, seek_partition.queue),
                       jsonb_build_object('offset', was), jsonb_build_object('offset', target));
    return json_build_object('success', true, 'consumerGroup', seek_partition.group_name, 'queueName', seek_partition.queue,
        'partitionName', seek_partition.partition, 'updated', true, 'cursorMovedTo', target, 'cursorMovedFrom', was)::text;
end
$$;
