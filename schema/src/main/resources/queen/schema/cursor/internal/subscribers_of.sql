create function :api.subscribers_of(queue_ids uuid[])
returns table (queue_id uuid, group_name text, from_at timestamptz)
language plpgsql stable
as $$
-- Promise:  the groups that are subscribed to queues, by their name or by namespace and task, and so owe every partition of them: from
--           where they begin in a partition they have no cursor in, as open_cursors would place it.
-- Params:   the queues.
-- Returns:  one row per queue and group; from_at: they begin at the first message not older than that, null for the first one
--           kept. Not those who have never come, of whom only an operator said where they will begin.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select q.id, s.group_name, :begins_at(q.name, :api.eviction_age(q.max_wait_time_s, q.ttl_s), s.group_name, s.from_at, clock_timestamp())
    from unnest(queue_ids) as i (queue_id)
    join queen.queue q on q.id = any (array[i.queue_id])
    cross join lateral (
        -- A subscription to the queue counts before one to its namespace or task.
        select distinct on (s.group_name) s.group_name, s.from_at
        from queen.subscription s
        where s.queue_name = any (array[q.name, ''])
          and (s.queue_name <> '' or s.namespace in ('', q.namespace) and s.task in ('', q.task))
          and not s.is_sought
        order by s.group_name, s.queue_name desc, s.subscribed_at
    ) s;
end
$$;
