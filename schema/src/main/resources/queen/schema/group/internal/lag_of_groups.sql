create function :api.lag_of_groups()
returns table (queue_id uuid, group_name text, oldest_at timestamptz)
language plpgsql stable
as $$
-- Promise:  returns since when each group has had a due unread message in a queue, from sums; reads no partitions. Paused groups and queues
--           do not lag. All lags are computed here.
-- Params:   none.
-- Returns:  one row per queue and group with a due unread message.
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
