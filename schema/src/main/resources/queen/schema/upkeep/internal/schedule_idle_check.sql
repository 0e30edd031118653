create function :api.schedule_idle_check(partition_ids uuid[])
returns void
language plpgsql volatile
as $$
-- Promise:  schedules the check for idle partitions.
-- Params:   empty partitions.
-- Returns:  nothing.
-- Locks:    none of its own.
-- Writes:   partition_upkeep
#variable_conflict use_column
declare
    empty record;
begin
    select array_agg(p.id order by p.id) as partitions, array_agg(p.queue_id order by p.id) as queues, array_agg(p.active_at order by p.id) as actives
    into empty
    from unnest(partition_ids) as i (partition_id)
    join partition p on p.id = any (array[i.partition_id]);
    if empty.partitions is not null then
        insert into partition_upkeep (partition_id, kind, queue_id, due_at)
        select e.id, 'idle', e.queue_id, e.active_at
        from unnest(empty.partitions, empty.queues, empty.actives) as e (id, queue_id, active_at)
        on conflict (partition_id, kind) do nothing;
    end if;
end
$$;
