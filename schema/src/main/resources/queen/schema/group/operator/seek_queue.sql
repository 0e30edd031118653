create function :api.seek_queue(
    actor text, group_name text, queue text, is_to_end boolean, is_to_beginning boolean, after_at timestamptz,
    is_reader_only boolean default false, partitions_max int default 2000)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  moves the cursors of the group in every partition of the queue that has had messages: to the head, to the first stored message,
--           or to the first message after a time. Leases end. Partitions that are created later are read accordingly. A group that has not
--           read the queue yet will start there, no matter what its first pop requests. If the queue has more partitions than
--           partitions_max, cursors are moved in pages: see queen.operation. A later seek of the same group replaces one that is running.
-- Params:   one of is_to_end, is_to_beginning and after_at; is_reader_only: rejects a group that does not read the queue, so that a
--           mistyped name creates nothing; partitions_max: the maximum number of partitions to process in this transaction.
-- Returns:  {success, consumerGroup, queueName, seekToEnd, seekToBeginning, targetTimestamp, partitionsUpdated}, with inProgress and
--           operationId if partitions are left. partitionsUpdated is 0 for a group that has not read the queue yet, because it had no
--           position. Null if there is no such queue or reader.
-- Locks:    the queen.queue row; queen.operation rows; the queen.queue_size row; then, shard by shard, the group's cursor rows,
--           ascending by partition_id; queen.catalog.
-- Writes:   queen.operation, queen.queue_size, cursor, cursor_key, failure, queen.subscription, queen.queue, queen.catalog, queen.audit
#variable_conflict use_column
declare
    sought  queen.queue;
    sent    queen.operation;
    is_here boolean;
begin
    if is_to_end::int + is_to_beginning::int + (after_at is not null)::int <> 1 then
        raise exception 'give exactly one of toEnd, toBeginning and timestamp' using errcode = 'QN400';
    end if;
    select q.* into sought from queen.queue q where q.name = seek_queue.queue for no key update;
    if not found then
        return null;
    end if;
    is_here := :api.is_reader(seek_queue.group_name, sought.id);
    if is_reader_only and not is_here then
        return null;
    end if;
    if not is_here then
        perform :api.reject_dot_names(array[seek_queue.group_name], 'the consumer group');
    end if;

    perform :api.supersede_operations(sought.id, array['seek', 'subscribe'], seek_queue.group_name);
    sent := :api.begin_operation(:api.new_operation('seek', actor, sought.id, sought.name, seek_queue.group_name, null, jsonb_build_object(
        'to', case when is_to_end then 'end' when is_to_beginning then 'beginning' else 'timestamp' end, 'afterAt', after_at,
        'isReader', is_here, 'response', jsonb_build_object(
            'success', true, 'consumerGroup', seek_queue.group_name, 'queueName', seek_queue.queue, 'seekToEnd', is_to_end,
            'seekToBeginning', is_to_beginning, 'targetTimestamp', :api.iso_millis(after_at)))), partitions_max);
    perform :api.select_shard('queen');

    if seek_queue.group_name <> '__QUEUE_MODE__' then
        insert into queen.subscription as s (group_name, queue_name, namespace, task, mode, from_at, is_preset)
        values (seek_queue.group_name, seek_queue.queue, '', '',
                case when is_to_end then 'new' when is_to_beginning then 'all' else 'timestamp' end,
                -- Until every partition is done, partitions without a cursor are read from the time of the seek.
                case when is_to_end and sent.status = 'running' then sent.marked_at else after_at + interval '1 microsecond' end,
                not is_here)
        on conflict (group_name, queue_name, namespace, task) do update
        set mode = excluded.mode, from_at = excluded.from_at;
        update queen.catalog set subscription_version = subscription_version + 1;
    end if;
    perform :api.queue_revised(sought.id);
    perform :api.audit(actor, 'seek', format('group %s on queue %s', seek_queue.group_name, seek_queue.queue), null,
        jsonb_strip_nulls(jsonb_build_object('toEnd', is_to_end, 'toBeginning', is_to_beginning, 'timestamp', after_at,
            'partitions', sent.changed, 'operation', case when sent.status = 'running' then sent.request_id end)));
    return :api.operation_response(
        sent.kind, sent.details, sent.changed, sent.messages, case when sent.status = 'running' then sent.request_id end,
        sent.processed, sent.estimate)::text;
end
$$;
