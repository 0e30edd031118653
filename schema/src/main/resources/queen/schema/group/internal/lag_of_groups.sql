create function :api.lag_of_groups()
returns table (queue_id uuid, group_name text, oldest_at timestamptz)
language plpgsql stable
as $$
-- Promise:  since when each group has had something due and unread in a queue, from sums: no partition is looked at. What is paused does
--           not lag. The only place that decides it.
-- Params:   none.
-- Returns:  one row per queue and group that has something due and unread.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select g.queue_id, g.group_name, g.oldest_at
    from group_depth g
    join queen.queue q on q.id = any (array[g.queue_id])
    where g.oldest_at < clock_timestamp()
      and not q.is_paused
      and not exists (select 1 from queen.group_pause p where p.queue_id = g.queue_id and p.group_name = g.group_name);
end
$$;
