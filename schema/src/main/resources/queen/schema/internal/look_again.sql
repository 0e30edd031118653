create function :api.look_again(partition_ids uuid[], seen uuid[], kind text, at timestamptz)
returns void
language plpgsql volatile
as $$
-- Promise:  each lane is looked at again when there may be something to do: not before its oldest message is old enough and the
--           lease on it has ended; for messages some group does not finish, less and less often, up to every hour; at once
--           when something is left that should go now. An empty lane where nothing happens is only watched for being idle.
--           One that somebody else was working on is looked at a second later.
-- Params:   lanes whose rows in lane_upkeep the caller holds; seen: those nobody else was working on; kind: retention or eviction; at: the moment of the look.
-- Returns:  nothing.
-- Locks:    none of its own.
-- Writes:   lane_upkeep
#variable_conflict use_column
begin
    with lane as (
        select i.partition_id, p.queue_id, p.head, p.tail, p.active_at, y.ages,
               make_interval(secs => least(y.ages[1], y.ages[2])) as age
        from unnest(partition_ids) as i (partition_id)
        left join partition p on p.id = any (array[i.partition_id])
        left join queen.queue q on q.id = any (array[p.queue_id])
        left join lateral (select :api.upkeep_policy(look_again.kind, q) as ages offset 0) y on true
    ), first_due as (
        select l.*, r.due_at
        from lane l
        left join lateral (
            select case when look_again.kind = 'retention' then :api.retention_due(l.partition_id, l.ages, look_again.at)
                        else :api.eviction_due(l.partition_id, l.ages[1], look_again.at) end as due_at
            where l.ages is not null
            offset 0
        ) r on true
    ), judged as (
        -- Nothing is there that could grow old, but something that is pushed from now on may.
        select d.partition_id, d.queue_id, d.active_at, d.head = d.tail as is_empty,
               case when d.ages is not null and d.partition_id <> all (seen) then look_again.at + interval '1 second'
                    else coalesce(d.due_at, case when d.active_at > look_again.at - interval '140 seconds' - d.age
                                       then look_again.at + d.age end) end as due_at
        from first_due d
    ), ended as (
        delete from lane_upkeep u
        using judged j
        where j.due_at is null
          and u.partition_id = any (array[j.partition_id])
          and u.kind = look_again.kind
    ), idle as (
        insert into lane_upkeep (partition_id, kind, queue_id, due_at)
        select j.partition_id, 'idle', j.queue_id, j.active_at
        from judged j
        where j.due_at is null
          and j.is_empty
        on conflict (partition_id, kind) do update set due_at = excluded.due_at
    )
    update lane_upkeep u
    set due_at = j.due_at
    from judged j
    where j.due_at is not null
      and u.partition_id = any (array[j.partition_id])
      and u.kind = look_again.kind;
end
$$;
