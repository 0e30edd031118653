create function :api.explain_delivery(partition_id uuid, group_name text)
returns json
language plpgsql stable
as $$
-- Promise:  returns why the next message of a partition is not delivered to a group, or that it will be: a sentence for people and fields
--           for programs.
-- Params:   the partition; the group.
-- Returns:  {state, reason, until, since, leaseId, attempts, error, position, …}, states as in delivery_states; position: the next offset
--           to be delivered, after expired messages; null if the partition does not exist.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (select json_build_object(
        'state', s.state,
        'reason', case s.state
            when 'unsubscribed' then 'The group has never popped from this queue; its first pop sets its start position.'
            when 'empty' then 'Nothing is unread: the group has finished every stored message.'
            when 'maintenance' then 'Pops are switched off for maintenance: no server delivers messages until an operator switches them on.'
            when 'paused' then case s.paused_by
                when 'queue' then 'The queue is paused.'
                when 'group' then 'The group is paused on this queue.'
                else 'The partition is paused.' end
            when 'leased' then concat(
                format('A consumer has leased the partition with lease %s until %s.', s.lease_id, :api.iso_millis(s.lease_until)), o.orphaned, r.repair)
            when 'expired' then format('%s message(s) waited longer than %s seconds and are not delivered any more: '
                                       'pops and upkeep %s, some at a time%s.', s.expired, a.age, a.fate,
                                       case when s.next < p.head then ', and deliver what follows when none is left' else '' end)
            when 'exhausted' then format('The lease expired at %s, and it was the last attempt: the next pop makes the message a dead letter.',
                                         :api.iso_millis(s.lease_until))
            when 'retrying' then format('The message failed %s time(s) and is tried again at %s%s. Last error: %s',
                                        s.attempts, :api.iso_millis(s.until_at),
                                        case when s.is_last then ', alone and for the last time' else '' end,
                                        coalesce(s.error, 'none')) || coalesce(r.repair, '')
            when 'window' then format('The last push to the partition was at %s. It is delivered %s seconds after the last push, at %s.',
                                      :api.iso_millis(p.last_push_at), q.window_buffer_s, :api.iso_millis(s.until_at))
            when 'delayed' then format('The message is delivered %s seconds after its push, at %s.',
                                       q.delayed_processing_s, :api.iso_millis(s.until_at))
            else concat(case
                when s.exhausted is not null
                then format('Ready: the lease expired at %s, and it was the last attempt of message %s, which becomes a dead letter; '
                            'the next pop gets the message after it.', :api.iso_millis(s.lease_until), s.exhausted)
                when s.lease_id is not null
                then format('Ready: the lease expired at %s, and the next pop gets the message again%s.', :api.iso_millis(s.lease_until),
                            case when s.is_last then ', alone and for the last time' else '' end)
                when s.is_last
                then format('Ready: the message failed %s time(s), and the next pop gets it alone, for the last time.', s.attempts)
                else 'Ready: the next pop gets the message.' end,
                case when s.expired > 0
                then format(' Before it, %s message(s) waited longer than %s seconds: that pop %s.', s.expired, a.age,
                            case when q.dead_letter_queue then 'makes them dead letters' else 'drops them' end) end)
            end,
        'until', :api.iso_millis(s.until_at),
        'since', :api.iso_millis(s.since_at),
        'leaseId', s.lease_id,
        'leaseExpiresAt', :api.iso_millis(s.lease_until),
        'attempts', s.attempts,
        'error', s.error,
        'position', s.next,
        'expired', s.expired,
        'pending', s.pending,
        'processing', s.processing,
        'pausedBy', s.paused_by,
        'queue', q.name,
        'partition', p.name,
        'partitionId', p.id,
        'consumerGroup', explain_delivery.group_name,
        'head', p.head,
        'tail', p.tail)
    from :api.delivery_states(array[explain_delivery.partition_id], array[explain_delivery.group_name]) s
    cross join lateral (select (s.partition).*) p
    join queen.queue q on q.id = any (array[p.queue_id])
    cross join lateral (
        select :api.eviction_age(q.max_wait_time_s, q.ttl_s) as age,
               case when q.dead_letter_queue then 'make them dead letters' else 'drop them' end as fate
    ) a
    cross join lateral (
        -- Servers report their leases every second, so a new lease may not be reported yet.
        select case when s.state = 'leased' and not exists (
                        select from :api.current_consumers() c
                        where c.queue_name = q.name
                          and c.group_name = explain_delivery.group_name
                          and c.leases > 0)
                    then ' No server reports this lease: it is new, or its consumer or server has stopped. The messages are delivered '
                         'again when it expires.' end as orphaned
    ) o
    cross join lateral (
        -- A lease or a retry that lasts longer than an hour, and longer than the queue allows, may stem from a wrong clock.
        select case when s.until_at > clock_timestamp() + greatest(
                             interval '1 hour', make_interval(secs => q.lease_time_s), make_interval(secs => q.retry_delay_ms / 1000.0))
                    then format(' That is longer than the queue grants: it was extended, or PostgreSQL''s clock was ahead. To end it now: '
                                'queen partition seek %s %s -g %s --to %s', q.name, p.name, explain_delivery.group_name, s.next) end as repair
    ) r);
end
$$;
