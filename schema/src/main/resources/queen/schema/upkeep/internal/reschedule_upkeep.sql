create function :api.reschedule_upkeep(partition_ids uuid[], seen uuid[], kind text, at timestamptz)
returns void
language plpgsql volatile
as $$
-- Promise:  sets the next check of each partition: not before its oldest message is old enough and the lease on it has ended; for messages
--           that a group does not finish, at growing intervals up to an hour; at once if something is left to remove. An empty partition
--           without activity is only checked for being idle. A partition that another transaction had locked is checked a second later.
-- Params:   partitions whose partition_upkeep rows the caller has locked; seen: those that no other transaction had locked; kind: retention
--           or eviction; at: the time of this check.
-- Returns:  nothing.
-- Locks:    none of its own.
-- Writes:   partition_upkeep
#variable_conflict use_column
declare
    partition_row   record;
    dues            timestamptz[] := '{}';
    judged          record;
begin
    for partition_row in
        select i.partition_id, y.ages
        from unnest(partition_ids) with ordinality as i (partition_id, index)
        left join partition p on p.id = any (array[i.partition_id])
        left join queue q on q.id = any (array[p.queue_id])
        left join lateral (
            select :api.upkeep_policy(reschedule_upkeep.kind, q.retention_enabled, q.retention_s, q.completed_retention_s, q.max_wait_time_s,
                                      q.ttl_s) as ages
            offset 0) y on true
        order by i.index
    loop
        dues := dues || case when partition_row.ages is null then null
                             when reschedule_upkeep.kind = 'retention'
                             then :api.retention_due(partition_row.partition_id, partition_row.ages, reschedule_upkeep.at)
                             else :api.eviction_due(partition_row.partition_id, partition_row.ages[1], reschedule_upkeep.at) end;
    end loop;
    with first_due as (
        select i.partition_id, i.due_at, p.queue_id, p.head, p.tail, p.active_at, y.ages,
               make_interval(secs => least(y.ages[1], y.ages[2])) as age
        from unnest(partition_ids, dues) as i (partition_id, due_at)
        left join partition p on p.id = any (array[i.partition_id])
        left join queue q on q.id = any (array[p.queue_id])
        left join lateral (
            select :api.upkeep_policy(reschedule_upkeep.kind, q.retention_enabled, q.retention_s, q.completed_retention_s, q.max_wait_time_s,
                                      q.ttl_s) as ages
            offset 0) y on true
    ), next as (
        -- No stored message can expire, but later pushes may.
        select d.partition_id, d.queue_id, d.active_at, d.head = d.tail as is_empty,
               case when d.ages is not null and d.partition_id <> all (seen) then reschedule_upkeep.at + interval '1 second'
                    else coalesce(d.due_at, case when d.active_at > reschedule_upkeep.at - interval '140 seconds' - d.age
                                       then reschedule_upkeep.at + d.age end) end as due_at
        from first_due d
    )
    select array_agg(n.partition_id) filter (where n.due_at is not null) as partitions,
           array_agg(n.due_at) filter (where n.due_at is not null) as dues,
           array_agg(n.partition_id) filter (where n.due_at is null) as ended,
           array_agg(n.partition_id) filter (where n.due_at is null and n.is_empty) as idle,
           array_agg(n.queue_id) filter (where n.due_at is null and n.is_empty) as idle_queues,
           array_agg(n.active_at) filter (where n.due_at is null and n.is_empty) as idle_since
    into judged
    from next n;

    if judged.ended is not null then
        delete from partition_upkeep u where u.partition_id = any (judged.ended) and u.kind = reschedule_upkeep.kind;
    end if;
    if judged.idle is not null then
        insert into partition_upkeep (partition_id, kind, queue_id, due_at)
        select i.partition_id, 'idle', i.queue_id, i.active_at
        from unnest(judged.idle, judged.idle_queues, judged.idle_since) as i (partition_id, queue_id, active_at)
        on conflict (partition_id, kind) do update set due_at = excluded.due_at;
    end if;
    update partition_upkeep u
    set due_at = j.due_at
    from unnest(judged.partitions, judged.dues) as j (partition_id, due_at)
    where u.partition_id = any (array[j.partition_id])
      and u.kind = reschedule_upkeep.kind;
end
$$;
