create function :api.subscribers_of(queue_ids uuid[])
returns table (queue_id uuid, group_name text, from_at timestamptz)
language plpgsql stable
as $$
-- Promise:  returns the groups that are subscribed to queues, by queue name or by namespace and task. Such a group reads every partition of
--           the queue; where it has no cursor, it starts as open_cursors would place it.
-- Params:   queue_ids: the queues.
-- Returns:  one row per queue and group; from_at: it starts at the first message not older than that, null: at the first stored message.
--           Groups whose start position an operator set, and which have never popped, are not included.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select q.id, s.group_name, :begins_at(q.name, :api.eviction_age(q.max_wait_time_s, q.ttl_s), s.group_name, s.from_at, clock_timestamp())
    from unnest(queue_ids) as i (queue_id)
    join queen.queue q on q.id = any (array[i.queue_id])
    cross join lateral (
        -- A subscription to the queue takes precedence over one to its namespace or task.
        select distinct on (s.group_name) s.group_name, s.from_at
        from queen.subscription s
        where s.queue_name = any (array[q.name, ''])
          and (s.queue_name <> '' or s.namespace in ('', q.namespace) and s.task in ('', q.task))
          and not s.is_preset
        order by s.group_name, s.queue_name desc, s.subscribed_at
    ) s;
end
$$;
