create function :api.is_reader(group_name text, queue_id uuid)
returns boolean
language sql stable
as $$
-- Promise:  whether a group reads a queue, or will when it next asks: so that a mistyped name does not make a group.
-- Params:   the group; the queue. Those who compete for a queue without a group always may.
-- Returns:  true when it has a subscription that covers the queue, or cursors were counted in it.
-- Locks:    none.
-- Writes:   nothing
select is_reader.group_name = '__QUEUE_MODE__'
    or exists (
        select
        from queen.queue q
        join queen.subscription s on s.group_name = any (array[is_reader.group_name]) and s.queue_name in (q.name, '')
        where q.id = is_reader.queue_id
          and (s.queue_name <> '' or s.namespace in ('', q.namespace) and s.task in ('', q.task)))
    or exists (
        select from queen.group_depth g where g.queue_id = is_reader.queue_id and g.group_name = is_reader.group_name)
$$;
