create function :api.clear_queue(actor text, queue text, partition text, partitions_max int default 2000)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  removes the messages that the queue, or one of its partitions, has at this time, for all groups; leases end. Messages that are
--           pushed from now on are delivered. Dead letters stay. A queue with more partitions than partitions_max, or with very many
--           messages, is cleared in pages: see queen.operation.
-- Params:   the name of the queue; the name of the partition, null for all; partitions_max: the maximum number of partitions to clear in
--           this transaction.
-- Returns:  {success, queue, partition, cleared, message}, with inProgress and operationId if messages are left; null if there is no such
--           queue or partition.
-- Locks:    the queen.queue row; queen.operation rows; then, shard by shard, the partition rows, ascending by id, and their cursor
--           rows, ascending; queen.catalog.
-- Writes:   queen.operation, what clear_page writes; queen.audit, queen.queue, queen.catalog
#variable_conflict use_column
declare
    emptied     uuid;
    sent        queen.operation;
begin
    select q.id into emptied from queen.queue q where q.name = clear_queue.queue for no key update;
    if not found then
        return null;
    end if;
    if clear_queue.partition is not null then
        perform :api.select_shard(:api.shard_of(:api.partition_id(emptied, clear_queue.partition)));
        if not exists (select 1 from partition_key k where k.id = :api.partition_id(emptied, clear_queue.partition)) then
            return null;
        end if;
    else
        perform :api.supersede_operations(emptied, array['clear'], null);
    end if;
    sent := :api.begin_operation(:api.new_operation('clear', actor, emptied, clear_queue.queue, null, clear_queue.partition,
        jsonb_build_object('response', jsonb_build_object(
            'success', true, 'queue', clear_queue.queue, 'partition', clear_queue.partition))), partitions_max);
    perform :api.select_shard('queen');
    perform :api.queue_revised(emptied);
    perform :api.audit(actor, 'clear', 'queue ' || clear_queue.queue || coalesce(', partition ' || clear_queue.partition, ''),
                       jsonb_build_object('messages', sent.messages), jsonb_strip_nulls(jsonb_build_object(
                           'messages', 0, 'operation', case when sent.status = 'running' then sent.request_id end)));
    return :api.operation_response(
        sent.kind, sent.details, sent.changed, sent.messages, case when sent.status = 'running' then sent.request_id end,
        sent.processed, sent.estimate)::text;
end
$$;
