create function :api.change_subscription(actor text, group_name text, from_at timestamptz)
returns text
language plpgsql volatile
as $$
-- Promise:  sets the start position of the group in partitions without a cursor: the first message not older than from_at. Existing cursors
--           do not change.
-- Params:   actor; the group; from_at.
-- Returns:  {success, consumerGroup, newTimestamp, rowsUpdated}.
-- Locks:    the group's queen.subscription rows; queen.catalog.
-- Writes:   queen.subscription, queen.catalog, touched_partitions of every shard, queen.audit
#variable_conflict use_column
declare
    changed int;
begin
    if from_at is null then
        raise exception 'subscriptionTimestamp is missing' using errcode = 'QN400';
    end if;
    update queen.subscription s
    set mode = 'timestamp',
        from_at = change_subscription.from_at
    where s.group_name = change_subscription.group_name
      -- Consumers without a group read every partition from its first stored message.
      and s.group_name <> '__QUEUE_MODE__';
    get diagnostics changed = row_count;

    perform :api.touch_queues(array(
        select q.name
        from queen.queue q
        where exists (
            select 1 from queen.subscription s
            where s.group_name = change_subscription.group_name
              and s.queue_name in (q.name, '')
              and (s.queue_name <> '' or s.namespace in ('', q.namespace) and s.task in ('', q.task)))));
    update queen.catalog set subscription_version = subscription_version + 1, version = version + 1;
    perform :api.audit(actor, 'subscription', 'group ' || change_subscription.group_name, null,
                       jsonb_build_object('from', :api.iso_millis(change_subscription.from_at), 'rows', changed));
    return json_build_object('success', true, 'consumerGroup', change_subscription.group_name,
        'newTimestamp', :api.iso_millis(change_subscription.from_at), 'rowsUpdated', changed)::text;
end
$$;
