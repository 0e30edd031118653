create function :api.subscribe(
    group_name text, queue_name text, namespace text, task text, mode text, from_at timestamptz, partitions_max int default 2000)
returns table (mode_in_force text, from_at_in_force timestamptz)
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  records the start position of a group at its first pop; later calls have no effect. In mode new the cursors of the group are
--           placed at the head of every existing partition: messages that commit afterward are delivered. If there are more partitions
--           than partitions_max, the others get their cursors in pages (see queen.operation), and the group reads them from the time of
--           this call. In a queue for which an operator has set the start position of the group, that position is used.
-- Params:   queue_name, or '' with a namespace and task ('' = any); partitions_max: the maximum number of partitions to place cursors in
--           within this transaction.
-- Returns:  the stored subscription.
-- Locks:    the queen.subscription row, while it is created; then the queen.queue rows, for key share, so that a cursor cannot outlive its
--           queue; then, shard by shard, the new cursor rows, ascending by (partition_id, group_name).
-- Writes:   queen.subscription, queen.operation, cursor, touched_partitions
#variable_conflict use_column
declare
    is_new      boolean;
    is_awaited  boolean;
    queue_ids   uuid[];
    each_queue  record;
    first       queen.operation;
    sent        queen.operation;
    budget      int := partitions_max;
    is_running  boolean := false;
begin
    -- Read first, because every server calls this once, and a write of the catalog is expensive on several nodes.
    is_new := not exists (
        select 1 from queen.subscription s
        where s.group_name = subscribe.group_name and s.queue_name = subscribe.queue_name
          and s.namespace = subscribe.namespace and s.task = subscribe.task);
    if is_new then
        perform :api.reject_dot_names(array[subscribe.group_name], 'the consumer group');
        insert into queen.subscription (group_name, queue_name, namespace, task, mode, from_at)
        values (subscribe.group_name, subscribe.queue_name, subscribe.namespace, subscribe.task, subscribe.mode, subscribe.from_at)
        on conflict do nothing;
        is_new := found;
    end if;
    is_awaited := exists (select 1 from queen.subscription s where s.group_name = subscribe.group_name and s.is_preset);
    if is_awaited then
        update queen.subscription s
        set is_preset = false
        where s.group_name = subscribe.group_name
          and s.is_preset
          and case when subscribe.queue_name <> '' then s.queue_name = subscribe.queue_name
                   else exists (
                       select 1 from queen.queue q
                       where q.name = s.queue_name and subscribe.namespace in ('', q.namespace) and subscribe.task in ('', q.task)) end;
        is_awaited := found;
    end if;
    -- From now on every partition of these queues is unread for the group.
    if is_new or is_awaited then
        perform :api.touch_queues(array(
            select q.name
            from queen.queue q
            where case when subscribe.queue_name <> '' then q.name = subscribe.queue_name
                       else subscribe.namespace in ('', q.namespace) and subscribe.task in ('', q.task) end));
    end if;

    if is_new and subscribe.mode = 'new' then
        queue_ids := array(
            select q.id
            from queen.queue q
            where case when subscribe.queue_name <> '' then q.name = subscribe.queue_name
                       else (subscribe.namespace = '' or q.namespace = subscribe.namespace)
                        and (subscribe.task = '' or q.task = subscribe.task)
                        and not exists (
                            select 1 from queen.subscription s
                            where s.group_name = subscribe.group_name and s.queue_name = q.name) end
            order by q.id
            for key share);
        for each_queue in select q.id, q.name from queen.queue q where q.id = any (queue_ids) order by q.id loop
            sent := :api.begin_operation(:api.new_operation('subscribe', null, each_queue.id, each_queue.name, subscribe.group_name, null,
                jsonb_build_object('to', 'end'), first.request_id, first.marked_at), budget);
            if first.id is null then
                first := sent;
            end if;
            budget := budget - sent.processed;
            is_running := is_running or sent.status = 'running';
            perform :api.select_shard('queen');
        end loop;
        -- Until every partition has a cursor, the others are read from this time on.
        if is_running then
            update queen.subscription s
            set from_at = first.marked_at
            where s.group_name = subscribe.group_name and s.queue_name = subscribe.queue_name
              and s.namespace = subscribe.namespace and s.task = subscribe.task;
        end if;
    end if;

    return query
    select s.mode, s.from_at
    from queen.subscription s
    where s.group_name = subscribe.group_name
      and s.queue_name = subscribe.queue_name
      and s.namespace = subscribe.namespace
      and s.task = subscribe.task;
end
$$;
