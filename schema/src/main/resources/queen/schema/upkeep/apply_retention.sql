create function :api.apply_retention(partitions_max int, segments_max int)
returns table (partitions int, retention bigint, completed_retention bigint)
language plpgsql volatile
as $$
-- Promise:  deletes segments that are older than the retention of their queue, or than its completed retention if every subscribed group
--           has finished them; never one with a message under a live lease. Groups that have not finished the deleted messages skip them.
--           Messages that an operator removed before are deleted with their segments and not counted.
-- Params:   the maximum number of partitions to check; about how many segments to delete.
-- Returns:  one row: partitions checked, 0 if nothing is due; messages deleted by age alone; messages deleted because every group had
--           finished them.
-- Locks:    partition_upkeep rows; what lock_partitions and lock_all_cursors lock; never waiting: a locked partition is checked again a
--           moment later. Then queen.trace_name rows.
-- Writes:   segment, partition, cursor, failure, queen.trace*, partition_upkeep, retention_minute, touched_partitions
#variable_conflict use_column
declare
    at          timestamptz := clock_timestamp();
    due         uuid[];
    free        uuid[];
    trimmed     uuid[];
    queues      uuid[];
    new_tails   bigint[];
    aged        bigint[];
    finished    bigint[];
    passed      record;
begin
    due := array(
        select u.partition_id
        from partition_upkeep u
        where u.kind = 'retention'
          and u.due_at <= at
        order by u.due_at
        limit partitions_max
        for update skip locked);
    partitions := cardinality(due);
    retention := 0;
    completed_retention := 0;
    if partitions = 0 then
        return next;
        return;
    end if;

    free := :api.lock_all_cursors(:api.lock_partitions(due));

    with examined as materialized (
        select p.id, p.queue_id, p.head, p.tail, p.removed, y.ages[1] as kept_s, y.ages[2] as done_s,
               least(c.leased_from, p.head) as leased_from, :lowest_position(p.id) as finished_to
        from unnest(free) as i (partition_id)
        join partition p on p.id = any (array[i.partition_id])
        join queen.queue q on q.id = any (array[p.queue_id])
        cross join lateral (
            select :api.upkeep_policy('retention', q.retention_enabled, q.retention_s, q.completed_retention_s, q.max_wait_time_s, q.ttl_s) as ages
            offset 0) y
        cross join lateral (
            select min(c.committed) as leased_from from cursor c where c.partition_id = p.id and c.lease_until > at
        ) c
        where y.ages is not null
    ), old as (
        select l.id, l.queue_id, l.tail, l.removed,
               count(*) filter (where s.created_at <= at - make_interval(secs => least(l.kept_s, l.done_s))) as segments,
               max(s.base + s.count) filter (
                   where s.created_at <= at - make_interval(secs => l.kept_s) and s.base + s.count <= l.leased_from) as kept_end,
               max(s.base + s.count) filter (
                   where s.created_at <= at - make_interval(secs => l.done_s) and s.base + s.count <= l.finished_to) as done_end
        from examined l
        cross join lateral (
            select s.base, s.count, s.created_at
            from segment s
            where s.partition_id = l.id
              and s.base >= :first_segment(l.id, least(l.tail, lower(l.removed)))
            order by s.base
            limit 100
        ) s
        group by l.id, l.queue_id, l.tail, l.removed
    ), budgeted as (
        select o.*, sum(o.segments) over (order by o.id) - o.segments as earlier
        from old o
        where coalesce(o.kept_end, o.done_end) is not null
    )
    select array_agg(b.id), array_agg(b.queue_id), array_agg(greatest(b.kept_end, b.done_end)),
           array_agg(:api.unread(greatest(b.tail, b.done_end), greatest(b.kept_end, b.done_end), null, b.removed)),
           array_agg(coalesce(:api.unread(b.tail, b.done_end, null, b.removed), 0))
    into trimmed, queues, new_tails, aged, finished
    from budgeted b
    where b.earlier < segments_max;

    if trimmed is not null then
        select array_agg(c.partition_id) as partitions, array_agg(c.group_name) as groups, array_agg(i.tail) as tails
        into passed
        from unnest(trimmed, new_tails) as i (partition_id, tail)
        join cursor c on c.partition_id = any (array[i.partition_id])
        where c.committed < i.tail;
        if passed.partitions is not null then
            perform :api.advance_past(passed.partitions, passed.groups, passed.tails, array_fill(null::text, array[cardinality(passed.partitions)]));
        end if;

        perform :api.move_tails(trimmed, new_tails);

        insert into retention_minute as m (at, queue_id, retention, completed_retention)
        select date_trunc('minute', at), i.queue_id, sum(i.aged), sum(i.finished)
        from unnest(queues, aged, finished) as i (queue_id, aged, finished)
        where i.aged + i.finished > 0
        group by i.queue_id
        order by i.queue_id
        on conflict (at, queue_id) do update
        set retention = m.retention + excluded.retention,
            completed_retention = m.completed_retention + excluded.completed_retention;

        select sum(i.aged), sum(i.finished)
        into retention, completed_retention
        from unnest(aged, finished) as i (aged, finished);
    end if;

    perform :api.reschedule_upkeep(due, free, 'retention', at);
    return next;
end
$$;
