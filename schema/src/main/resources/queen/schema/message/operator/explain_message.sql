create function :api.explain_message(partition_id uuid, transaction_id text, group_name text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  one answer to why a message is not being delivered to a group. state, besides those of the partition that hold for its
--           next message: dead_lettered, finished, removed, expired (retention removed it unread, or it waited too long), behind
--           (unfinished messages stand before it).
-- Params:   the partition; the message's transactionId; the group.
-- Returns:  as explanation, with offset, ahead, and blockedBy: why the partition's next message is not delivered; null when
--           there is no such partition, or it knows nothing of the message.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    partition_row   record;
    of_queue        queen.queue;
    reader          record;
    grave           record;
    own             record;
    place           bigint;
    answer          jsonb;
    standing        record;
    state           text;
    reason          text;
    is_finished     boolean;
begin
    perform :api.enter(:api.shard_of(explain_message.partition_id));
    select p.* into partition_row from partition p where p.id = explain_message.partition_id;
    place := :api.find_stored(explain_message.partition_id, transaction_id);
    select d.* into grave
    from dead_letter d
    where d.partition_id = explain_message.partition_id
      and d.group_name = explain_message.group_name
      and (d.message_offset = place
           or place is null and (d.transaction_id = explain_message.transaction_id or d.transaction_id is null
                                 and :api.line_transaction_id(:api.line_head(d.line)) = explain_message.transaction_id))
    order by d.failed_at desc
    limit 1;
    if partition_row.id is null or place is null and grave.partition_id is null then
        return null;
    end if;

    select q.* into of_queue from queen.queue q where q.id = partition_row.queue_id;
    answer := :api.explanation(partition_row.id, explain_message.group_name)::jsonb;
    select * into standing from :api.standing(array[partition_row.id], array[explain_message.group_name]);
    select c.* into reader
    from cursor c
    where c.partition_id = partition_row.id
      and c.group_name = explain_message.group_name;
    place := coalesce(place, grave.message_offset);
    is_finished := place < partition_row.tail or place < coalesce(reader.committed, partition_row.tail) or coalesce(reader.acked @> place, false);
    -- Of a message that is finished nothing is known any more.
    select x.attempts, x.error into own
    from :failure_of(partition_row.id, explain_message.group_name, place) x
    where not is_finished;

    if is_finished and grave.partition_id is not null then
        state := 'dead_lettered';
        reason := format('The group gave up on it at %s after %s attempt(s): %s', :api.iso_millis(grave.failed_at),
                         grave.attempts, coalesce(grave.error, 'no error was given'));
    elsif coalesce(partition_row.removed @> place, false) then
        state := 'removed';
        reason := 'An operator removed the message; nobody gets it any more.';
    elsif place < partition_row.tail and place >= coalesce(reader.committed, 0) then
        state := 'expired';
        reason := 'The message was removed by retention before the group finished it.';
    elsif is_finished then
        state := 'finished';
        reason := 'The group is past the message: it was acknowledged, it expired, or an operator moved the group on.';
    elsif place < standing.first then
        state := 'finished';
        reason := 'The group reads from a later message on.';
    elsif reader.lease_until > clock_timestamp() and place < reader.lease_end then
        state := 'leased';
        reason := format('A consumer holds the message with lease %s until %s.', reader.lease_id, :api.iso_millis(reader.lease_until));
    elsif place = standing.exhausted and standing.state not in ('maintenance', 'paused') then
        state := 'exhausted';
        reason := format('The lease ran out at %s, and it was the last attempt: the next pop makes the message a dead letter.',
                         :api.iso_millis(reader.lease_until));
    elsif place < standing.next and place is distinct from standing.exhausted and standing.state <> 'unsubscribed' then
        state := 'expired';
        reason := format('The message waited longer than %s seconds and is not delivered any more: the next pop, or upkeep, %s.',
                         :api.eviction_age(of_queue.max_wait_time_s, of_queue.ttl_s),
                         case when of_queue.dead_letter_queue then 'makes it a dead letter' else 'drops it' end);
    elsif standing.state not in ('unsubscribed', 'maintenance', 'paused')
          and (place > standing.next or standing.state = 'expired') then
        state := 'behind';
        reason := format('%s unfinished message(s) stand before it in the partition, which keeps its order.',
                         :api.unread(standing.first, place, reader.acked, partition_row.removed));
    end if;

    answer := answer || jsonb_build_object('transactionId', transaction_id, 'offset', place, 'ahead',
        case when is_finished then 0 else :api.unread(standing.first, place, reader.acked, partition_row.removed) end);
    if state = 'behind' then
        answer := answer || jsonb_build_object('blockedBy', jsonb_build_object(
            'state', answer -> 'state', 'reason', answer -> 'reason', 'until', answer -> 'until', 'error', answer -> 'error'));
    end if;
    if state = 'leased' then
        answer := answer || jsonb_build_object('until', :api.iso_millis(reader.lease_until), 'since', null,
            'attempts', coalesce(own.attempts, 0), 'error', own.error);
    elsif state is not null then
        answer := answer || jsonb_build_object('until', null, 'since', :api.iso_millis(grave.failed_at), 'leaseId', null,
            'leaseExpiresAt', null, 'attempts', coalesce(own.attempts, grave.attempts, 0), 'error', coalesce(own.error, grave.error));
    end if;
    if state is not null then
        answer := answer || jsonb_build_object('state', state, 'reason', reason);
    end if;
    return answer::text;
end
$$;
