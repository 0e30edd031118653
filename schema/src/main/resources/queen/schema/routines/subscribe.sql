create function :api.subscribe(
    group_name text, queue_name text, namespace text, task text, mode text, from_at timestamptz)
returns table (mode_in_force text, from_at_in_force timestamptz)
language plpgsql volatile
set search_path = queen, pg_temp
as $$
-- Promise:  records from where a group reads, the first time it comes, and changes nothing later. In mode new the group's
--           cursors are placed at the head of every lane there is: whatever commits afterwards is delivered. Where an operator has
--           said before where the group begins in a queue, it does.
-- Params:   a queue name, or '' and a namespace and task ('' = any).
-- Returns:  the subscription in force.
-- Locks:    the queen.subscription row, while it is being created; then the queen.queue rows, for key share, so that a
--           cursor cannot outlive its queue; then, shard by shard, the new cursor rows, ascending by (partition_id, group_name).
-- Writes:   queen.subscription, cursor, touched_lanes
#variable_conflict use_column
declare
    is_new      boolean;
    is_awaited  boolean;
    queue_ids   uuid[];
    begun       record;
    shard       text;
begin
    -- Looked for first, because every server asks once: a write of the catalog is dear where it is on several nodes.
    is_new := not exists (
        select 1 from queen.subscription s
        where s.group_name = subscribe.group_name and s.queue_name = subscribe.queue_name
          and s.namespace = subscribe.namespace and s.task = subscribe.task);
    if is_new then
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
    -- From now on the group owes every lane.
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
        foreach shard in array :api.shards() loop
            perform :api.enter(shard);
            select array_agg(p.id) as lanes, array_agg(p.head) as heads
            into begun
            from partition p
            where p.queue_id = any (queue_ids)
              and p.head > 0;
            if begun.lanes is not null then
                perform :api.insert_cursors(
                    begun.lanes, array_fill(subscribe.group_name, array[cardinality(begun.lanes)]), begun.heads);
            end if;
        end loop;
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
