create function :api.explain_message(partition_id uuid, transaction_id text, group_name text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns the reason why a message is not delivered to a group. state: besides the states of the partition that apply to its next
--           message: dead_lettered, finished, removed, expired (retention removed it unread, or it waited too long), behind (unfinished
--           messages precede it).
-- Params:   the partition; the transactionId of the message; the group.
-- Returns:  as explain_delivery, with offset, ahead, and blockedBy: why the next message of the partition is not delivered; null if there
--           is no such partition or message.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    partition_row   record;
    of_queue        queen.queue;
    reader          record;
    letter          record;
    own             record;
    place           bigint;
    result          jsonb;
    delivery        record;
    state           text;
    reason          text;
    is_finished     boolean;
begin
    perform :api.select_shard(:api.shard_of(explain_message.partition_id));
    select p.* into partition_row from partition p where p.id = explain_message.partition_id;
    place := :api.find_stored(explain_message.partition_id, transaction_id);
    select d.* into letter
    from dead_letter d
    where d.partition_id = explain_message.partition_id
      and d.group_name = explain_message.group_name
      and (d.message_offset = place
           or place is null and (d.transaction_id = explain_message.transaction_id or d.transaction_id is null
                                 and :api.line_transaction_id(:api.line_head(d.line)) = explain_message.transaction_id))
    order by d.failed_at desc
    limit 1;
    if partition_row.id is null or place is null and letter.partition_id is null then
        return null;
    end if;

    select q.* into of_queue from queen.queue q where q.id = partition_row.queue_id;
    result := :api.explain_delivery(partition_row.id, explain_message.group_name)::jsonb;
    select * into delivery from :api.delivery_states(array[partition_row.id], array[explain_message.group_name]);
    select c.* into reader
    from cursor c
    where c.partition_id = partition_row.id
      and c.group_name = explain_message.group_name;
    place := coalesce(place, letter.message_offset);
    is_finished := place < partition_row.tail or place < coalesce(reader.committed, partition_row.tail) or coalesce(reader.acked @> place, false);
    -- Failures of a finished message are deleted.
    select x.attempts, x.error into own
    from :failure_of(partition_row.id, explain_message.group_name, place) x
    where not is_finished;

    if is_finished and letter.partition_id is not null then
        state := 'dead_lettered';
        reason := format('The message became a dead letter at %s after %s attempt(s): %s', :api.iso_millis(letter.failed_at),
                         letter.attempts, coalesce(letter.error, 'no error was given'));
    elsif coalesce(partition_row.removed @> place, false) then
        state := 'removed';
        reason := 'An operator removed the message; it is not delivered any more.';
    elsif place < partition_row.tail and place >= coalesce(reader.committed, 0) then
        state := 'expired';
        reason := 'Retention removed the message before the group finished it.';
    elsif is_finished then
        state := 'finished';
        reason := 'The cursor of the group is after the message: it was acknowledged, it expired, or an operator moved the cursor.';
    elsif place < delivery.first then
        state := 'finished';
        reason := 'The start position of the group is after the message.';
    elsif reader.lease_until > clock_timestamp() and place < reader.lease_end then
        state := 'leased';
        reason := format('A consumer has leased the message with lease %s until %s.', reader.lease_id, :api.iso_millis(reader.lease_until));
    elsif place = delivery.exhausted and delivery.state not in ('maintenance', 'paused') then
        state := 'exhausted';
        reason := format('The lease expired at %s, and it was the last attempt: the next pop makes the message a dead letter.',
                         :api.iso_millis(reader.lease_until));
    elsif place < delivery.next and place is distinct from delivery.exhausted and delivery.state <> 'unsubscribed' then
        state := 'expired';
        reason := format('The message waited longer than %s seconds and is not delivered any more: the next pop, or upkeep, %s.',
                         :api.eviction_age(of_queue.max_wait_time_s, of_queue.ttl_s),
                         case when of_queue.dead_letter_queue then 'makes it a dead letter' else 'drops it' end);
    elsif delivery.state not in ('unsubscribed', 'maintenance', 'paused')
          and (place > delivery.next or delivery.state = 'expired') then
        state := 'behind';
        reason := format('%s unfinished message(s) precede it in the partition, and are delivered first.',
                         :api.unread(delivery.first, place, reader.acked, partition_row.removed));
    end if;

    result := result || jsonb_build_object('transactionId', transaction_id, 'offset', place, 'ahead',
        case when is_finished then 0 else :api.unread(delivery.first, place, reader.acked, partition_row.removed) end);
    if state = 'behind' then
        result := result || jsonb_build_object('blockedBy', jsonb_build_object(
            'state', result -> 'state', 'reason', result -> 'reason', 'until', result -> 'until', 'error', result -> 'error'));
    end if;
    if state = 'leased' then
        result := result || jsonb_build_object('until', :api.iso_millis(reader.lease_until), 'since', null,
            'attempts', coalesce(own.attempts, 0), 'error', own.error);
    elsif state is not null then
        result := result || jsonb_build_object('until', null, 'since', :api.iso_millis(letter.failed_at), 'leaseId', null,
            'leaseExpiresAt', null, 'attempts', coalesce(own.attempts, letter.attempts, 0), 'error', coalesce(own.error, letter.error));
    end if;
    if state is not null then
        result := result || jsonb_build_object('state', state, 'reason', reason);
    end if;
    return result::text;
end
$$;
