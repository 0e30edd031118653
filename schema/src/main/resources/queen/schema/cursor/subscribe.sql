create function :api.subscribe(
    group_name text, queue_name text, namespace text, task text, mode text, from_at timestamptz, partitions_max int default 2000)
returns table (mode_in_force text, from_at_in_force timestamptz)
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  records where a group begins to read, at its first pop, and changes nothing later. In mode new the group's cursors are
--           placed at the head of every existing partition: messages that commit afterwards are delivered. Where there are more
--           partitions than partitions_max, the others get their cursors in pages (see queen.operation), and the group reads them
--           from the moment of this call. Where an operator has set the start position of the group in a queue, it begins there.
-- Params:   a queue name, or '' and a namespace and task ('' = any); how many cursors to place in this transaction.
-- Returns:  the subscription in force.
-- Locks:    the queen.subscription row, while it is being created; then the queen.queue rows, for key share, so that a
--           cursor cannot outlive its queue; then, shard by shard, the new cursor rows, ascending by (partition_id, group_name).
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
    -- Looked for first, because every server asks once: a write of the catalog is dear where it is on several nodes.
    is_new := not exists (
        select 1 from queen.subscription s
        where s.group_name = subscribe.group_name and s.queue_name = subscribe.queue_name
          and s.namespace = subscribe.namespace and s.task = subscribe.task);
    if is_new then
        perform :api.reject_dots(array[subscribe.group_name], 'the consumer group');
        insert into queen.subscription (group_name, queue_name, namespace, task, mode, from_at)
        values (subscribe.group_name, subscribe.queue_name, subscribe.namespace, subscribe.task, subscribe.mode, subscribe.from_at)
        on conflict do nothing;
        is_new := found;
    end if;
    is_awaited := exists (select 1 from queen.subscription s where s.group_name = subscribe.group_name and s.is_sought);
    if is_awaited then
        update queen.subscription s
        set is_sought = false
        where s.group_name = subscribe.group_name
          and s.is_sought
          and case when subscribe.queue_name <> '' then s.queue_name = subscribe.queue_name
                   else exists (
                       select 1 from queen.queue q
                       where q.name = s.queue_name and subscribe.namespace in ('', q.namespace) and subscribe.task in ('', q.task)) end;
        is_awaited := found;
    end if;
    -- From now on the group owes every partition.
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
            perform :api.enter('queen');
        end loop;
        -- Until every partition has a cursor, those without one are read from this moment on.
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
