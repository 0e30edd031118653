create function :api.watch_idle(partition_ids uuid[])
returns void
language plpgsql volatile
as $$
-- Promise:  the lanes are deleted when nothing happens in them for long.
-- Params:   empty lanes.
-- Returns:  nothing.
-- Locks:    none of its own.
-- Writes:   lane_upkeep
#variable_conflict use_column
begin
    insert into lane_upkeep (partition_id, kind, queue_id, due_at)
    select p.id, 'idle', p.queue_id, p.active_at
    from unnest(partition_ids) as i (partition_id)
    join partition p on p.id = any (array[i.partition_id])
    order by p.id
    on conflict (partition_id, kind) do nothing;
end
$$;
