create function :api.dead_letter_message(actor text, partition_id uuid, transaction_id text, group_name text, error text)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  makes a message that the group has not finished a dead letter; the group skips the message. The holder of a lease on it may
--           still ack it.
-- Params:   the partition; the transactionId; the group; error: null for the default text.
-- Returns:  {success, partitionId, transactionId, consumerGroup, message}; null if the message does not exist.
-- Locks:    the queen.queue row, the partition row, the cursor row; queen.catalog.
-- Writes:   cursor, failure, dead_letter, touched_partitions, queen.audit, queen.queue, queen.catalog
#variable_conflict use_column
declare
    reason          text := coalesce(dead_letter_message.error, 'moved to the dead letters by an operator');
    partition_row   record;
    place           record;
    dead            bigint;
    tries           int;
begin
    perform :api.select_shard(:api.shard_of(dead_letter_message.partition_id));
    perform from queen.queue q
    where q.id = (select p.queue_id from partition p where p.id = dead_letter_message.partition_id)
    for no key update;
    select p.* into partition_row from partition p where p.id = dead_letter_message.partition_id for no key update;
    select m.message_offset into dead from :api.find_message(partition_row.id, dead_letter_message.transaction_id) m;
    if dead is null then
        return null;
    end if;

    -- Consumers without a group start at the first stored message; other groups start where their first pop subscribes.
    if dead_letter_message.group_name = '__QUEUE_MODE__' then
        perform from :api.open_cursors(array[partition_row.id], array[dead_letter_message.group_name], array[null::timestamptz]);
    end if;
    select c.* into place
    from cursor c
    where c.partition_id = partition_row.id and c.group_name = dead_letter_message.group_name
    for update;
    if not found then
        raise exception 'the consumer group % has not read from this partition yet', dead_letter_message.group_name using errcode = 'QN400';
    elsif place.committed > dead or place.acked @> dead then
        raise exception 'the consumer group % has finished this message already', dead_letter_message.group_name using errcode = 'QN400';
    end if;

    select x.attempts into tries
    from :failure_of(partition_row.id, place.group_name, dead) x;
    perform :api.insert_dead_letters(array[partition_row.id], array[place.group_name], array[1], array[dead], array[coalesce(tries, 0)], array[reason],
                                     array['operator']);
    perform from :api.advance(array[1], array[partition_row.id], array[place.group_name],
                              array[int8multirange(int8range(dead, dead + 1))], array[1]);
    perform :api.touch_partitions(array[partition_row.id], '{}');
    if place.is_failing then
        perform :api.queue_revised(partition_row.queue_id);
    end if;
    perform :api.audit(actor, 'dead_letter', format('message %s of partition %s for group %s', dead_letter_message.transaction_id, partition_row.id,
                       place.group_name), jsonb_build_object('offset', dead), jsonb_build_object('error', reason));
    return json_build_object('success', true, 'partitionId', partition_row.id, 'transactionId', dead_letter_message.transaction_id,
                             'consumerGroup', place.group_name, 'message', 'the message is a dead letter now')::text;
end
$$;
