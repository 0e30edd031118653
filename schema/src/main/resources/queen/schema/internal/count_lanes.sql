create function :api.count_lanes(partition_ids uuid[])
returns int
language plpgsql volatile
as $$
-- Promise:  the sums of queues and groups are right again as far as these lanes are concerned: what each lane adds now takes
--           the place of what it added before. Lanes that are gone add nothing any more.
-- Params:   lanes, each any number of times; their queues have rows in queue_depth, or they are left out.
-- Returns:  how many lanes were looked at.
-- Locks:    queue_depth rows, then the others it writes; the caller sees to it that nobody else counts.
-- Writes:   lane_depth, queue_depth, group_depth, group_age, depth_turn
#variable_conflict use_column
declare
    at          timestamptz := clock_timestamp();
    lanes       uuid[] := array(select distinct i.id from unnest(partition_ids) as i (id));
    this_turn   bigint;
    queues      uuid[];
begin
    if cardinality(lanes) = 0 then
        return 0;
    end if;
    update depth_turn t set turn = t.turn + 1 returning t.turn into this_turn;

    with counted as materialized (
        select c.* from :api.lane_counts(lanes, at) c
    ), before as materialized (
        select d.*
        from unnest(lanes) as i (id)
        join lane_depth d on d.partition_id = any (array[i.id])
    ), known as materialized (
        select i.queue_id, g.group_name, g.since
        from (select c.queue_id from counted c union select b.queue_id from before b) i
        cross join lateral (select from queue_depth d where d.queue_id = i.queue_id offset 0) d
        left join lateral (select g.group_name, g.since from group_depth g where g.queue_id = i.queue_id offset 0) g on true
    ), queue as (
        select k.queue_id, array_remove(array_agg(k.group_name), null) as names, coalesce(max(k.since), 0) as since
        from known k
        group by k.queue_id
    ), different as materialized (
        select c.*
        from counted c
        join queue q on q.queue_id = c.queue_id
        left join before b on b.partition_id = c.partition_id
        where b.turn is null
           or (b.total, b.pending, b.processing, b.oldest_at, b.group_names, b.group_pendings, b.group_finished, b.group_dues, b.recheck_at)
              is distinct from
              (c.total, c.pending, c.processing, c.oldest_at, c.group_names, c.group_pendings, c.group_finished, c.group_dues, c.recheck_at)
           -- A group is counted for the first time, or again after it was deleted.
           or b.turn < q.since
           or not c.group_names <@ q.names
    ), gone as (
        delete from lane_depth d
        using before b
        where d.partition_id = any (array[b.partition_id])
          and not exists (select from counted c where c.partition_id = b.partition_id)
        returning d.partition_id
    ), replaced as materialized (
        select b.*
        from before b
        where b.partition_id in (select c.partition_id from different c union all select g.partition_id from gone g)
    ), put as (
        insert into lane_depth (
            partition_id, queue_id, total, pending, processing, oldest_at, group_names, group_pendings, group_finished,
            group_dues, recheck_at, turn)
        select c.*, this_turn
        from different c
        on conflict (partition_id) do update
        set total = excluded.total, pending = excluded.pending, processing = excluded.processing, oldest_at = excluded.oldest_at,
            group_names = excluded.group_names, group_pendings = excluded.group_pendings, group_finished = excluded.group_finished,
            group_dues = excluded.group_dues, recheck_at = excluded.recheck_at, turn = excluded.turn
    ), of_queues as (
        select x.queue_id, sum(x.n) as partitions, sum(x.total) as total, sum(x.pending) as pending, sum(x.processing) as processing
        from (
            select c.queue_id, 1 as n, c.total, c.pending, c.processing from different c
            union all
            select b.queue_id, -1, -b.total, -b.pending, -b.processing from replaced b
        ) x
        group by x.queue_id
    ), summed as (
        -- Also where nothing is added, because whoever deletes a queue takes this row before those of its groups.
        update queue_depth d
        set partitions = d.partitions + q.partitions, total = d.total + q.total, pending = d.pending + q.pending,
            processing = d.processing + q.processing, computed_at = at
        from of_queues q
        where d.queue_id = any (array[q.queue_id])
        returning d.queue_id
    ), part as materialized (
        select c.queue_id, 1 as n, u.name, u.pending, u.finished, u.due_at
        from different c
        cross join lateral unnest(c.group_names, c.group_pendings, c.group_finished, c.group_dues) as u (name, pending, finished, due_at)
        union all
        -- What belongs to a group that was deleted since is not in the sums any more.
        select b.queue_id, -1, u.name, u.pending, u.finished, u.due_at
        from replaced b
        cross join lateral unnest(b.group_names, b.group_pendings, b.group_finished, b.group_dues) as u (name, pending, finished, due_at)
        join known k on k.queue_id = b.queue_id and k.group_name = u.name and k.since <= b.turn
    ), of_groups as (
        insert into group_depth as d (queue_id, group_name, partitions, lagging, pending, finished, since)
        select s.queue_id, p.name, sum(p.n), sum(case when p.pending > 0 then p.n else 0 end), sum(p.n * p.pending),
               sum(p.n * p.finished), this_turn
        from summed s
        join part p on p.queue_id = s.queue_id
        group by s.queue_id, p.name
        on conflict (queue_id, group_name) do update
        set partitions = d.partitions + excluded.partitions, lagging = d.lagging + excluded.lagging,
            pending = d.pending + excluded.pending, finished = d.finished + excluded.finished
        returning d.queue_id, d.group_name
    ), of_ages as (
        insert into group_age as a (queue_id, group_name, due_at, lanes)
        select p.queue_id, p.name, p.due_at, sum(p.n)
        from of_groups g
        join part p on p.queue_id = g.queue_id and p.name = g.group_name
        where p.due_at is not null
        group by p.queue_id, p.name, p.due_at
        having sum(p.n) <> 0
        on conflict (queue_id, group_name, due_at) do update set lanes = a.lanes + excluded.lanes
    )
    select array(select s.queue_id from summed s) into queues;

    delete from group_depth g where g.queue_id = any (queues) and g.partitions = 0;
    delete from group_age a where a.lanes = 0;
    update group_depth g
    set oldest_at = o.oldest_at
    from (
        select g.queue_id, g.group_name, (
                   select a.due_at from group_age a
                   where a.queue_id = g.queue_id and a.group_name = g.group_name
                   order by a.due_at limit 1) as oldest_at
        from group_depth g
        where g.queue_id = any (queues)
    ) o
    where g.queue_id = o.queue_id
      and g.group_name = o.group_name
      and g.oldest_at is distinct from o.oldest_at;
    return cardinality(lanes);
end
$$;
