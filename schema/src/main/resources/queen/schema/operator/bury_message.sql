create function :api.bury_message(actor text, partition_id uuid, transaction_id text, group_name text, error text)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  a message that the group has not finished is among its dead letters, and the group passes over it; whoever holds it
--           may still ack it.
-- Params:   the lane; the transactionId; the group; error: why, null for the usual words.
-- Returns:  {success, partitionId, transactionId, consumerGroup, message}; null when there is no such message.
-- Locks:    the queen.queue row, the partition row, the cursor row; queen.catalog.
-- Writes:   cursor, failure, dead_letter, touched_lanes, queen.audit, queen.queue, queen.catalog
#variable_conflict use_column
declare
    reason  text := coalesce(bury_message.error, 'moved to the dead letters by an operator');
    lane    record;
    place   record;
    dead    bigint;
    tries   int;
begin
    perform :api.enter(:api.shard_of(bury_message.partition_id));
    perform from queen.queue q
    where q.id = (select p.queue_id from partition p where p.id = bury_message.partition_id)
    for no key update;
    select p.* into lane from partition p where p.id = bury_message.partition_id for no key update;
    select m.message_offset into dead from :api.find_message(lane.id, bury_message.transaction_id) m;
    if dead is null then
        return null;
    end if;

    -- Who reads without a group begins at the beginning; other groups begin where they subscribed, which their first pop says.
    if bury_message.group_name = '__QUEUE_MODE__' then
        perform from :api.open_cursors(array[lane.id], array[bury_message.group_name], array[null::timestamptz]);
    end if;
    select c.* into place
    from cursor c
    where c.partition_id = lane.id and c.group_name = bury_message.group_name
    for update;
    if not found then
        raise exception 'the consumer group % has not read from this lane yet', bury_message.group_name using errcode = 'QN400';
    elsif place.committed > dead or place.acked @> dead then
        raise exception 'the consumer group % has finished this message already', bury_message.group_name using errcode = 'QN400';
    end if;

    select x.attempts into tries
    from :failure_of(lane.id, place.group_name, dead) x;
    perform :api.bury(array[lane.id], array[place.group_name], array[1], array[dead], array[coalesce(tries, 0)], array[reason],
                      array['operator']);
    perform from :api.advance(array[1], array[lane.id], array[place.group_name],
                              array[int8multirange(int8range(dead, dead + 1))], array[1]);
    perform :api.touch_lanes(array[lane.id], '{}');
    if place.is_failing then
        perform :api.queue_revised(lane.queue_id);
    end if;
    perform :api.audit(actor, 'bury', format('message %s of lane %s for group %s', bury_message.transaction_id, lane.id,
                       place.group_name), jsonb_build_object('offset', dead), jsonb_build_object('error', reason));
    return json_build_object('success', true, 'partitionId', lane.id, 'transactionId', bury_message.transaction_id,
                             'consumerGroup', place.group_name, 'message', 'the message is a dead letter now')::text;
end
$$;
