create function :api.count_lanes(partition_ids uuid[])
returns int
language plpgsql volatile
as $$
-- Promise:  the sums of queues and groups are right again as far as these lanes are concerned: what each lane adds now takes
--           the place of what it added before. Lanes that are gone add nothing any more.
-- Params:   lanes, each any number of times; their queues have rows in queen.queue_depth, or they are left out.
-- Returns:  how many lanes were looked at.
-- Locks:    the rows it writes; the caller sees to it that nobody else counts.
-- Writes:   queen.lane_depth, queen.queue_depth, queen.group_depth
#variable_conflict use_column
declare
    at      timestamptz := clock_timestamp();
    looked  int;
begin
    with wanted as (
        select distinct w.id from unnest(partition_ids) as w (id)
    ), lane as (
        select p.id, p.queue_id, p.head, p.tail, p.removed
        from wanted w
        cross join lateral :api.partition_of(w.id) p
        join queen.queue_depth d on d.queue_id = any (array[p.queue_id])
    ), counted as (
        select l.id, l.queue_id, :api.unread(l.tail, l.head, null, l.removed) as total,
               coalesce(g.pending, :api.unread(l.tail, l.head, null, l.removed)) as pending,
               coalesce(g.processing, 0) as processing,
               case when g.names is null then (
                   select s.created_at from queen.segment s
                   where s.partition_id = l.id and s.base <= l.tail and l.tail < l.head order by s.base desc limit 1)
                   else g.oldest_at end as oldest_at,
               coalesce(g.names, '{}') as names, coalesce(g.pendings, '{}') as pendings,
               coalesce(g.finished, '{}') as finished, coalesce(g.oldests, '{}') as oldests
        from lane l
        cross join lateral (
            select array_agg(c.group_name order by c.group_name) as names,
                   array_agg(c.pending order by c.group_name) as pendings,
                   array_agg(c.finished order by c.group_name) as finished,
                   array_agg(c.oldest_at order by c.group_name) as oldests,
                   min(c.oldest_at) as oldest_at,
                   (array_agg(c.pending - c.processing order by c.pending desc, c.processing desc))[1] as pending,
                   (array_agg(c.processing order by c.pending desc, c.processing desc))[1] as processing
            from (
                select k.group_name, c.completed_count + c.dead_count as finished,
                       :api.unread(f.first, l.head, c.acked, l.removed) as pending,
                       case when c.lease_until > at then :api.unread(f.first, c.lease_end, c.acked, l.removed) else 0 end as processing,
                       (select s.created_at from queen.segment s
                        where s.partition_id = l.id and s.base <= f.first and f.first < l.head order by s.base desc limit 1) as oldest_at
                from queen.cursor_key k
                cross join lateral :api.cursor_of(k.partition_id, k.group_name) c
                cross join lateral (select :api.first_unread(c.committed, l.tail, c.acked, l.removed) as first) f
                where k.partition_id = l.id
                offset 0
            ) c
        ) g
    ), before as (
        select d.*
        from wanted w
        join queen.lane_depth d on d.partition_id = any (array[w.id])
    ), of_queues as (
        select x.queue_id, sum(x.n) as partitions, sum(x.total) as total, sum(x.pending) as pending, sum(x.processing) as processing
        from (
            select c.queue_id, 1 as n, c.total, c.pending, c.processing from counted c
            union all
            select b.queue_id, -1, -b.total, -b.pending, -b.processing from before b
        ) x
        group by x.queue_id
    ), of_groups as (
        select x.queue_id, x.name, sum(x.n) as partitions, sum(case when x.pending > 0 then x.n else 0 end) as lagging,
               sum(x.n * x.pending) as pending, sum(x.n * x.finished) as finished, min(x.oldest_at) as oldest_at
        from (
            select c.queue_id, 1 as n, u.name, u.pending, u.finished, u.oldest_at
            from counted c
            cross join lateral unnest(c.names, c.pendings, c.finished, c.oldests) as u (name, pending, finished, oldest_at)
            union all
            select b.queue_id, -1, u.name, u.pending, u.finished, null
            from before b
            cross join lateral unnest(b.group_names, b.group_pendings, b.group_finished) as u (name, pending, finished)
        ) x
        where exists (select from queen.queue_depth d where d.queue_id = x.queue_id)
        group by x.queue_id, x.name
    ), put as (
        insert into queen.lane_depth as d (
            partition_id, queue_id, total, pending, processing, oldest_at, group_names, group_pendings, group_finished)
        select c.id, c.queue_id, c.total, c.pending, c.processing, c.oldest_at, c.names, c.pendings, c.finished
        from counted c
        on conflict (partition_id) do update
        set total = excluded.total, pending = excluded.pending, processing = excluded.processing, oldest_at = excluded.oldest_at,
            group_names = excluded.group_names, group_pendings = excluded.group_pendings, group_finished = excluded.group_finished
        where (d.total, d.pending, d.processing, d.oldest_at, d.group_names, d.group_pendings, d.group_finished) is distinct from
              (excluded.total, excluded.pending, excluded.processing, excluded.oldest_at, excluded.group_names,
               excluded.group_pendings, excluded.group_finished)
    ), gone as (
        delete from queen.lane_depth d
        using before b
        where d.partition_id = b.partition_id
          and not exists (select from counted c where c.id = b.partition_id)
    ), summed as (
        update queen.queue_depth d
        set partitions = d.partitions + q.partitions, total = d.total + q.total, pending = d.pending + q.pending,
            processing = d.processing + q.processing, computed_at = at
        from of_queues q
        where d.queue_id = q.queue_id
          and (q.partitions, q.total, q.pending, q.processing) <> (0, 0, 0, 0)
    ), of_each as (
        insert into queen.group_depth as d (queue_id, group_name, partitions, lagging, pending, finished, oldest_seen)
        select g.queue_id, g.name, g.partitions, g.lagging, g.pending, g.finished, g.oldest_at
        from of_groups g
        where (g.partitions, g.lagging, g.pending, g.finished) <> (0, 0, 0, 0)
           or g.oldest_at is not null
        on conflict (queue_id, group_name) do update
        set partitions = d.partitions + excluded.partitions, lagging = d.lagging + excluded.lagging,
            pending = d.pending + excluded.pending, finished = d.finished + excluded.finished,
            oldest_seen = least(d.oldest_seen, excluded.oldest_seen)
    )
    select count(*)::int into looked from wanted;
    return looked;
end
$$;
