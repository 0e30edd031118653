create function :api.seek_lane(
    actor text, group_name text, queue text, partition text, is_to_end boolean, is_to_beginning boolean,
    after_at timestamptz, place bigint, is_reader_only boolean default false)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  the group goes on at another place in one lane: at the head, at the first message kept, at the first one after a
--           moment, or at an offset. A lease on it is over. A group that has not come to the lane yet will begin there.
-- Params:   at most one of is_to_end, is_to_beginning, after_at and place; none of them means to the end.
--           is_reader_only: only a group that reads the queue, so that a mistyped name begins nothing.
-- Returns:  {success, consumerGroup, queueName, partitionName, updated, cursorMovedTo, cursorMovedFrom}, the last null for a group
--           that had no place in the lane; null when there is no such lane, or no such reader.
-- Locks:    the queen.queue row, for key share; then the cursor row; queen.catalog.
-- Writes:   cursor, failure, queen.revised_lane, queen.catalog, queen.audit
#variable_conflict use_column
declare
    lane_id uuid;
    lane    record;
    was     bigint;
    target  bigint;
begin
    if is_to_end::int + is_to_beginning::int + (after_at is not null)::int + (place is not null)::int > 1 then
        raise exception 'give at most one of toEnd, toBeginning, timestamp and offset' using errcode = 'QN400';
    end if;
    perform from queen.queue q where q.name = seek_lane.queue for key share;
    select :api.partition_id(q.id, seek_lane.partition) into lane_id from queen.queue q where q.name = seek_lane.queue;
    perform :api.enter(:api.shard_of(coalesce(lane_id, gen_random_uuid())));
    select v.* into lane from partition v where v.id = lane_id order by v.generation desc limit 1;
    if not found or is_reader_only and not :api.is_reader(seek_lane.group_name, lane.queue_id) then
        return null;
    end if;
    if place not between lane.tail and lane.head then
        raise exception 'offset must be from % to %: that is what the lane keeps', lane.tail, lane.head using errcode = 'QN400';
    end if;

    target := case when place is not null then place when is_to_beginning then lane.tail
                   when after_at is not null then :api.offset_at(lane.id, after_at + interval '1 microsecond')
                   else lane.head end;
    select c.committed into was
    from cursor c
    where c.partition_id = lane.id and c.group_name = seek_lane.group_name
    for update;
    perform :api.seek(array[lane.id], seek_lane.group_name, array[target]);
    perform :api.lane_revised(lane.id);
    perform :api.audit(actor, 'seek', format('group %s on lane %s of queue %s', seek_lane.group_name, seek_lane.partition, seek_lane.queue),
                       jsonb_build_object('offset', was), jsonb_build_object('offset', target));
    return json_build_object('success', true, 'consumerGroup', seek_lane.group_name, 'queueName', seek_lane.queue,
        'partitionName', seek_lane.partition, 'updated', true, 'cursorMovedTo', target, 'cursorMovedFrom', was)::text;
end
$$;
