create function :api.remove_message(actor text, partition_id uuid, transaction_id text)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  removes a message from delivery to any group; groups that have not finished it skip it. The holder of a lease on it may still
--           ack it. Its dead letters stay, its traces are deleted.
-- Params:   the partition; the transactionId.
-- Returns:  {success, partitionId, transactionId, message}; null if the message does not exist.
-- Locks:    the queen.queue row; the partition row; its cursor rows, ascending; queen.catalog.
-- Writes:   what remove_offset writes, queen.trace*, touched_partitions, queen.audit, queen.queue, queen.catalog
#variable_conflict use_column
declare
    partition_row   record;
    gone            bigint;
    was_failing     boolean;
begin
    perform :api.select_shard(:api.shard_of(remove_message.partition_id));
    perform from queen.queue q
    where q.id = (select p.queue_id from partition p where p.id = remove_message.partition_id)
    for no key update;
    select p.* into partition_row from partition p where p.id = remove_message.partition_id for no key update;
    select m.message_offset into gone from :api.find_message(partition_row.id, remove_message.transaction_id) m;
    if gone is null then
        return null;
    end if;

    was_failing := :api.remove_offset(partition_row.id, gone);
    perform :api.delete_traces(array[partition_row.id], array[gone], array[gone + 1]);
    perform :api.touch_partitions(array[partition_row.id], '{}');
    if was_failing then
        perform :api.queue_revised(partition_row.queue_id);
    end if;
    perform :api.audit(actor, 'remove', format('message %s of partition %s', remove_message.transaction_id, partition_row.id),
                       jsonb_build_object('offset', gone), null);
    return json_build_object('success', true, 'partitionId', partition_row.id, 'transactionId', remove_message.transaction_id,
                             'message', 'the message will not be delivered any more')::text;
end
$$;
