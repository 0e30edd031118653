create function :api.is_reader(group_name text, queue_id uuid)
returns boolean
language plpgsql stable
as $$
-- Promise:  returns whether a group reads a queue, or will at its next pop.
-- Params:   the group; the queue. Consumers without a group may read every queue.
-- Returns:  true if a subscription of the group covers the queue, or cursors were counted in it. False if only an operator has set its
--           start position.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select is_reader.group_name = '__QUEUE_MODE__'
            or exists (
                select 1
                from queen.queue q
                join queen.subscription s on s.group_name = any (array[is_reader.group_name]) and s.queue_name in (q.name, '')
                where q.id = is_reader.queue_id
                  and not s.is_preset
                  and (s.queue_name <> '' or s.namespace in ('', q.namespace) and s.task in ('', q.task)))
            or exists (
                select 1
                from group_depth g
                join queen.queue q on q.id = any (array[g.queue_id])
                where g.queue_id = is_reader.queue_id
                  and g.group_name = is_reader.group_name
                  and not exists (
                      select 1 from queen.subscription s
                      where s.group_name = g.group_name and s.queue_name = q.name and s.is_preset)));
end
$$;
