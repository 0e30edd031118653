create function :api.retry_message(actor text, partition_id uuid, transaction_id text, group_name text)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  starts a redrive of the dead letters of one message to the end of their partition.
-- Params:   actor; the partition; the transactionId; the group, null for all groups with such a dead letter.
-- Returns:  {success, partitionId, transactionId, redriveId, total, message}; null if there is no such dead letter.
-- Locks:    none.
-- Writes:   what start_redrive writes
#variable_conflict use_column
declare
    dead    record;
    begun   json;
begin
    perform :api.select_shard(:api.shard_of(retry_message.partition_id));
    select q.name as queue, d.partition_name as partition
    into dead
    from dead_letter d
    join queen.queue q on q.id = d.queue_id
    where d.partition_id = retry_message.partition_id
      and d.transaction_id = retry_message.transaction_id
      and (retry_message.group_name is null or d.group_name = retry_message.group_name)
    limit 1;
    if not found then
        return null;
    end if;
    perform :api.select_shard('queen');
    begun := :api.start_redrive(actor, dead.queue, dead.partition, retry_message.group_name, null, null, null,
                                array[retry_message.transaction_id], null, null, null, null, false)::json;
    return json_build_object('success', true, 'partitionId', retry_message.partition_id,
                             'transactionId', retry_message.transaction_id, 'redriveId', begun ->> 'id',
                             'total', (begun ->> 'total')::int, 'message', 'the message is on its way to the end of its partition')::text;
end
$$;
