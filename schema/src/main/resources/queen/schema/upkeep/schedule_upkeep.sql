create function :api.schedule_upkeep(kind text, pass_at timestamptz, partitions_max int)
returns boolean
language plpgsql volatile
as $$
-- Promise:  creates the missing upkeep rows of partitions. When it returns true, every partition of a queue whose messages are removed by
--           age has a row with the time of its next check. Reads only partitions with pushes since the last pass, unless options of a queue
--           have changed: then all partitions of that queue get new due times.
-- Params:   kind: retention or eviction; pass_at: when the pass began, the same for each call of it; partitions_max: the maximum number of
--           partitions of a queue per call.
-- Returns:  whether the pass is complete; if not, call it again.
-- Locks:    queue_upkeep and partition_upkeep rows; only one server at a time may call this.
-- Writes:   queue_upkeep, partition_upkeep
#variable_conflict use_column
declare
    swept       record;
    page        record;
    behind      record;
    fresh       record;
    scheduled   record;
begin
    delete from queue_upkeep u
    using queen.queue q
    where u.kind = schedule_upkeep.kind
      and q.id = any (array[u.queue_id])
      and :api.upkeep_policy(schedule_upkeep.kind, q.retention_enabled, q.retention_s, q.completed_retention_s, q.max_wait_time_s, q.ttl_s) is null;

    insert into queue_upkeep (queue_id, kind, ages, swept_to, seen_until)
    select q.id, schedule_upkeep.kind, y.ages, '', pass_at
    from queen.queue q
    cross join lateral (
        select :api.upkeep_policy(schedule_upkeep.kind, q.retention_enabled, q.retention_s, q.completed_retention_s, q.max_wait_time_s, q.ttl_s) as ages
        offset 0) y
    where y.ages is not null
      and not exists (
          select 1 from queue_upkeep u
          where u.queue_id = q.id and u.kind = schedule_upkeep.kind and u.ages is not distinct from y.ages offset 0)
    order by q.id
    on conflict (queue_id, kind) do update set ages = excluded.ages, swept_to = '', seen_until = excluded.seen_until;

    select u.queue_id, u.swept_to, (select min(a) from unnest(u.ages) a) as age
    into swept
    from queue_upkeep u
    where u.kind = schedule_upkeep.kind
      and u.swept_to is not null
    limit 1;

    if found then
        select array_agg(k.id) as partitions, max(k.name) filter (where k.place = partitions_max) as last
        into page
        from (
            select k.id, k.name, row_number() over (order by k.name) as place
            from :api.partition_page(swept.queue_id, swept.swept_to, partitions_max) k
        ) k;
        select array_agg(p.id) as partitions, array_agg(s.created_at + make_interval(secs => swept.age)) as dues
        into scheduled
        from unnest(page.partitions) as i (id)
        cross join lateral :newest_partition(i.id) p
        cross join lateral (
            select s.created_at from segment s
            where s.partition_id = p.id and s.base >= :first_segment(p.id, least(p.tail, lower(p.removed)))
            order by s.base limit 1
        ) s;
        insert into partition_upkeep (partition_id, kind, queue_id, due_at)
        select n.partition_id, schedule_upkeep.kind, swept.queue_id, n.due_at
        from unnest(scheduled.partitions, scheduled.dues) as n (partition_id, due_at)
        on conflict (partition_id, kind) do update set due_at = excluded.due_at;

        update queue_upkeep u
        set swept_to = page.last
        where u.queue_id = swept.queue_id and u.kind = schedule_upkeep.kind;
        return false;
    end if;

    select array_agg(u.queue_id) as queues, array_agg(u.seen_until) as seen, array_agg(u.age) as ages
    into behind
    from (
        select u.queue_id, u.seen_until, (select min(a) from unnest(u.ages) a) as age
        from queue_upkeep u
        where u.kind = schedule_upkeep.kind
          and u.seen_until < pass_at
        limit 1000
    ) u;
    select array_agg(p.id) as partitions, array_agg(u.queue_id) as queues, array_agg(s.created_at + make_interval(secs => u.age)) as dues
    into fresh
    from unnest(behind.queues, behind.seen, behind.ages) as u (queue_id, seen_until, age)
    cross join lateral (
        select p.id, least(p.tail, lower(p.removed)) as first
        from partition p
        where p.queue_id = u.queue_id
          -- active_at lags behind the last push by up to ten seconds, and a push needs time to commit.
          and p.active_at >= u.seen_until - interval '130 seconds'
          and p.head > least(p.tail, lower(p.removed))
          and not exists (
              select 1 from partition_upkeep l where l.partition_id = p.id and l.kind = schedule_upkeep.kind offset 0)
        order by p.active_at
        limit partitions_max
    ) p
    cross join lateral (
        select s.created_at from segment s where s.partition_id = p.id and s.base >= :first_segment(p.id, p.first)
        order by s.base limit 1
    ) s;
    insert into partition_upkeep (partition_id, kind, queue_id, due_at)
    select n.partition_id, schedule_upkeep.kind, n.queue_id, n.due_at
    from unnest(fresh.partitions, fresh.queues, fresh.dues) as n (partition_id, queue_id, due_at)
    on conflict (partition_id, kind) do nothing;
    update queue_upkeep u
    set seen_until = pass_at
    where u.queue_id = any (behind.queues)
      and u.kind = schedule_upkeep.kind
      and u.queue_id <> all (array(select o.id from unnest(fresh.queues) as o (id) group by o.id having count(*) >= partitions_max));

    return not exists (
        select 1 from queue_upkeep u where u.kind = schedule_upkeep.kind and u.seen_until < pass_at);
end
$$;
