create function :api.remove_message(actor text, partition_id uuid, transaction_id text)
returns text
language plpgsql volatile
as $$
-- Promise:  the message is never delivered to anybody any more; groups that have not finished it pass over it. Whoever holds it
--           may still ack it. Its dead letters stay, its traces go.
-- Params:   the lane; the transactionId.
-- Returns:  {success, partitionId, transactionId, message}; null when there is no such message.
-- Locks:    the queen.partition row; its queen.cursor rows, ascending; when a lane was held up by the message, the queen.queue row
--           and queen.catalog.
-- Writes:   queen.partition, queen.cursor, queen.failure, queen.segment, queen.trace*, queen.audit, queen.queue, queen.catalog
#variable_conflict use_column
declare
    lane        queen.partition;
    gone        bigint;
    left_over   int8multirange;
    groups      text[];
    was_failing boolean;
begin
    -- The queue first, as everybody locks it: the message may be what its lane waits for.
    perform from queen.queue q
    where q.id = (select p.queue_id from queen.partition p where p.id = remove_message.partition_id)
    for no key update;
    select p.* into lane from queen.partition p where p.id = remove_message.partition_id for no key update;
    select m.message_offset into gone from :api.find_message(lane.id, remove_message.transaction_id) m;
    if gone is null then
        return null;
    end if;

    left_over := coalesce(lane.removed, '{}') + int8multirange(int8range(gone, gone + 1));
    update queen.partition p
    set tail = :api.first_unfinished(lane.tail, lane.tail, left_over),
        removed = nullif(left_over - int8multirange(int8range(null, :api.first_unfinished(lane.tail, lane.tail, left_over))),
                         '{}'::int8multirange)
    where p.id = lane.id
    returning p.* into lane;
    delete from queen.segment s where s.partition_id = lane.id and s.base + s.count <= lane.tail;

    perform from queen.cursor c where c.partition_id = lane.id order by c.group_name for update;
    select array_agg(c.group_name order by c.group_name), bool_or(c.is_failing or c.retry_at is not null)
    into groups, was_failing
    from queen.cursor c
    where c.partition_id = lane.id
      and c.committed <= gone
      and not coalesce(c.acked @> gone, false);
    if groups is not null then
        perform from :api.advance(
            array(select i from generate_subscripts(groups, 1) i),
            array_fill(lane.id, array[cardinality(groups)]), groups,
            array_fill(int8multirange(int8range(gone, gone + 1)), array[cardinality(groups)]),
            array_fill(0, array[cardinality(groups)]), array_fill(1, array[cardinality(groups)]));
    end if;

    perform :api.forget_traces(array[lane.id], array[gone], array[gone + 1]);
    if was_failing then
        perform :api.queue_revised(lane.queue_id);
    end if;
    perform :api.audit(actor, 'remove', format('message %s of lane %s', remove_message.transaction_id, lane.id),
                       jsonb_build_object('offset', gone), null);
    return json_build_object('success', true, 'partitionId', lane.id, 'transactionId', remove_message.transaction_id,
                             'message', 'the message will not be delivered any more')::text;
end
$$;
