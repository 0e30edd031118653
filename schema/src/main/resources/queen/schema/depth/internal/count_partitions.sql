create function :api.count_partitions(partition_ids uuid[])
returns int
language plpgsql volatile
as $$
-- Promise:  updates the sums of queues and groups for these partitions: the current counts of a partition replace its counts before.
--           Partitions that do not exist any more are subtracted.
-- Params:   partitions, each any number of times. A partition whose queue has no row in queue_depth is left out.
-- Returns:  the number of distinct partitions.
-- Locks:    queue_depth rows, then the other rows that it writes; the caller holds the lock of counting_key.
-- Writes:   partition_depth, queue_depth, group_depth, group_age, depth_turn
#variable_conflict use_column
declare
    at          timestamptz := clock_timestamp();
    ids         uuid[] := array(select distinct i.id from unnest(partition_ids) as i (id));
    this_turn   bigint;
    -- The partitions whose counts have changed, and their counts before. Rows of the view over all shards, which has the same columns in
    -- every shard.
    different   queen.partition_depth[];
    -- The row versions that are replaced; null for partitions that were not counted before.
    places      tid[];
    replaced    queen.partition_depth[];
    counts      queen.partition_depth[];
    gone        uuid[];
    queues      uuid[] := '{}';
    parts       record;
    changed     record;
begin
    if cardinality(ids) = 0 then
        return 0;
    end if;
    update depth_turn t
    set turn = t.turn + 1,
        :written(t)
    where t.ctid = (select n.ctid from depth_turn n order by n.generation desc limit 1)
    returning t.turn into this_turn;

    select array_agg(row(c.partition_id, c.queue_id, this_turn, c.total, c.pending, c.processing, c.group_names, c.group_pendings,
                         c.group_finished, c.group_dues, c.oldest_at, c.recheck_at, 0, 0)::queen.partition_depth)
    into counts
    from :api.partition_counts(ids, at) c;
    with counted as materialized (
        select c.* from unnest(counts) c
    ), before as materialized (
        select d.*
        from unnest(ids) as i (id)
        cross join lateral (
            select v.ctid as tid, v.* from partition_depth v
            where v.partition_id = i.id
            order by v.generation desc limit 1
        ) d
    ), queue as (
        select i.queue_id, g.names, g.since
        from (select c.queue_id from counted c union select b.queue_id from before b) i
        cross join lateral (select 1 from queue_depth d where d.queue_id = i.queue_id offset 0) d
        cross join lateral (
            select coalesce(array_agg(g.group_name), '{}') as names, coalesce(max(g.since), 0) as since
            from group_depth g
            where g.queue_id = i.queue_id
        ) g
    ), compared as (
        select row(c.partition_id, c.queue_id, this_turn, c.total, c.pending, c.processing, c.group_names, c.group_pendings,
                   c.group_finished, c.group_dues, c.oldest_at, c.recheck_at, 0, 0)::queen.partition_depth as now,
               row(b.partition_id, b.queue_id, b.turn, b.total, b.pending, b.processing, b.group_names, b.group_pendings,
                   b.group_finished, b.group_dues, b.oldest_at, b.recheck_at, 0, 0)::queen.partition_depth as was,
               c.partition_id, b.partition_id as before_id, b.tid,
               c.partition_id is not null and q.queue_id is not null and (
                   b.turn is null
                   or (b.total, b.pending, b.processing, b.oldest_at, b.group_names, b.group_pendings, b.group_finished, b.group_dues,
                       b.recheck_at)
                      is distinct from
                      (c.total, c.pending, c.processing, c.oldest_at, c.group_names, c.group_pendings, c.group_finished, c.group_dues,
                       c.recheck_at)
                   -- A group is counted for the first time, or again after its deletion.
                   or b.turn < q.since
                   or not c.group_names <@ q.names) as is_different
        from counted c
        full join before b on b.partition_id = c.partition_id
        left join queue q on q.queue_id = c.queue_id
    )
    select array_agg(x.now) filter (where x.is_different), array_agg(x.tid) filter (where x.is_different),
           array_agg(x.was) filter (where x.before_id is not null and (x.is_different or x.partition_id is null)),
           array_agg(x.before_id) filter (where x.partition_id is null)
    into different, places, replaced, gone
    from compared x;

    delete from partition_depth d where d.partition_id = any (gone);
    update partition_depth d
    set total = c.total, pending = c.pending, processing = c.processing, oldest_at = c.oldest_at, group_names = c.group_names,
        group_pendings = c.group_pendings, group_finished = c.group_finished, group_dues = c.group_dues, recheck_at = c.recheck_at,
        turn = c.turn, :written(d)
    from unnest(different, places)
         as c (partition_id, queue_id, turn, total, pending, processing, group_names, group_pendings, group_finished, group_dues, oldest_at,
               recheck_at, writes, generation, tid)
    where d.ctid = c.tid;
    insert into partition_depth (
        partition_id, queue_id, turn, total, pending, processing, group_names, group_pendings, group_finished, group_dues, oldest_at,
        recheck_at)
    select c.partition_id, c.queue_id, c.turn, c.total, c.pending, c.processing, c.group_names, c.group_pendings, c.group_finished,
           c.group_dues, c.oldest_at, c.recheck_at
    from unnest(different, places)
         as c (partition_id, queue_id, turn, total, pending, processing, group_names, group_pendings, group_finished, group_dues, oldest_at,
               recheck_at, writes, generation, tid)
    where c.tid is null;

    -- Rows without changes are updated, too: a deletion of a queue locks this row before those of its groups.
    for changed in
        update queue_depth d
        set partitions = d.partitions + q.partitions, total = d.total + q.total, pending = d.pending + q.pending,
            processing = d.processing + q.processing, computed_at = at
        from (
            select x.queue_id, sum(x.n) as partitions, sum(x.n * x.total) as total, sum(x.n * x.pending) as pending,
                   sum(x.n * x.processing) as processing
            from (
                select c.queue_id, 1 as n, c.total, c.pending, c.processing from unnest(different) c
                union all
                select b.queue_id, -1, b.total, b.pending, b.processing from unnest(replaced) b
            ) x
            group by x.queue_id
        ) q
        where d.queue_id = any (array[q.queue_id])
        returning d.queue_id
    loop
        queues := queues || changed.queue_id;
    end loop;

    with part as (
        select c.queue_id, 1 as n, u.name, u.pending, u.finished, u.due_at
        from unnest(different) c
        cross join lateral unnest(c.group_names, c.group_pendings, c.group_finished, c.group_dues) as u (name, pending, finished, due_at)
        union all
        -- Counts of a group that was deleted since are not in the sums any more.
        select b.queue_id, -1, u.name, u.pending, u.finished, u.due_at
        from unnest(replaced) b
        cross join lateral unnest(b.group_names, b.group_pendings, b.group_finished, b.group_dues) as u (name, pending, finished, due_at)
        join (
            select g.queue_id, g.group_name, g.since
            from unnest(queues) as q (id)
            cross join lateral (select g.* from group_depth g where g.queue_id = q.id offset 0) g
        ) k on k.queue_id = b.queue_id and k.group_name = u.name and k.since <= b.turn
    )
    select array_agg(p.queue_id) as queues, array_agg(p.name) as names, array_agg(p.due_at) as dues, array_agg(p.partitions) as partitions,
           array_agg(p.lagging) as lagging, array_agg(p.pending) as pendings, array_agg(p.finished) as finished
    into parts
    from (
        select p.queue_id, p.name, p.due_at, sum(p.n) as partitions, sum(case when p.pending > 0 then p.n else 0 end) as lagging,
               sum(p.n * p.pending) as pending, sum(p.n * p.finished) as finished
        from part p
        where p.queue_id = any (queues)
        group by p.queue_id, p.name, p.due_at
    ) p;
    insert into group_depth as d (queue_id, group_name, partitions, lagging, pending, finished, since)
    select p.queue_id, p.name, sum(p.partitions), sum(p.lagging), sum(p.pending), sum(p.finished), this_turn
    from unnest(parts.queues, parts.names, parts.partitions, parts.lagging, parts.pendings, parts.finished)
         as p (queue_id, name, partitions, lagging, pending, finished)
    group by p.queue_id, p.name
    on conflict (queue_id, group_name) do update
    set partitions = d.partitions + excluded.partitions, lagging = d.lagging + excluded.lagging,
        pending = d.pending + excluded.pending, finished = d.finished + excluded.finished;
    insert into group_age as a (queue_id, group_name, due_at, partitions)
    select p.queue_id, p.name, p.due_at, p.partitions
    from unnest(parts.queues, parts.names, parts.dues, parts.partitions) as p (queue_id, name, due_at, partitions)
    where p.due_at is not null
      and p.partitions <> 0
    on conflict (queue_id, group_name, due_at) do update set partitions = a.partitions + excluded.partitions;

    delete from group_depth g where g.queue_id = any (queues) and g.partitions = 0;
    delete from group_age a
    using unnest(parts.queues, parts.names, parts.dues, parts.partitions) as p (queue_id, name, due_at, partitions)
    where p.partitions < 0
      and a.queue_id = any (array[p.queue_id])
      and a.group_name = p.name
      and a.due_at = p.due_at
      and a.partitions = 0;
    -- Ages before the previous oldest one are deleted, unless this call added some. A long transaction keeps their index entries, so the
    -- search starts after them.
    update group_depth g
    set oldest_at = o.oldest_at
    from (
        select g.queue_id, g.group_name, (
                   select a.due_at from group_age a
                   where a.queue_id = g.queue_id and a.group_name = g.group_name
                     and a.due_at >= least(g.oldest_at, p.first_at)
                   order by a.due_at limit 1) as oldest_at
        from group_depth g
        left join (
            select p.queue_id, p.name, min(p.due_at) as first_at
            from unnest(parts.queues, parts.names, parts.dues, parts.partitions) as p (queue_id, name, due_at, partitions)
            where p.partitions > 0
            group by p.queue_id, p.name
        ) p on p.queue_id = g.queue_id and p.name = g.group_name
        where g.queue_id = any (queues)
    ) o
    where g.queue_id = o.queue_id
      and g.group_name = o.group_name
      and g.oldest_at is distinct from o.oldest_at;
    return cardinality(ids);
end
$$;
