create function :api.partition_counts(partition_ids uuid[], at timestamptz)
returns table (
    partition_id uuid, queue_id uuid, total bigint, pending bigint, processing bigint, oldest_at timestamptz,
    group_names text[], group_pendings bigint[], group_finished bigint[], group_dues timestamptz[], recheck_at timestamptz)
language plpgsql stable
as $$
-- Promise:  returns the present counts of partitions: in total, for the slowest group, and for each group that has a cursor in the
--           partition or is subscribed to its queue.
-- Params:   the partitions, each once; at: the present time.
-- Returns:  one row per existing partition, with the columns of partition_depth. pending does not include processing; group_pendings do.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    partitions  record;
    subscribed  record;
begin
    select array_agg(p.id) as ids, array_agg(p.queue_id) as queues, array_agg(p.head) as heads, array_agg(p.tail) as tails,
           array_agg(p.removed) as removals, array_agg(p.last_push_at) as push_ats
    into partitions
    from unnest(partition_ids) as i (id)
    cross join lateral :newest_partition(i.id) p;
    select array_agg(r.queue_id) as queues, array_agg(r.group_name) as groups, array_agg(r.from_at) as froms
    into subscribed
    from :api.subscribers_of(array(select distinct q.id from unnest(partitions.queues) as q (id))) r;
    return query
    with queue as materialized (
        select q.id, q.delayed_processing_s as delay_s, q.window_buffer_s as window_s, coalesce(r.names, '{}') as names, r.froms
        from (select distinct u.id as queue_id from unnest(partitions.queues) as u (id)) i
        join queen.queue q on q.id = any (array[i.queue_id])
        left join (
            select r.queue_id, array_agg(r.group_name order by r.group_name) as names, array_agg(r.from_at order by r.group_name) as froms
            from unnest(subscribed.queues, subscribed.groups, subscribed.froms) as r (queue_id, group_name, from_at)
            group by r.queue_id
        ) r on r.queue_id = q.id
    )
    select l.id, l.queue_id, t.total, coalesce(g.slowest[1] - g.slowest[2], t.total), coalesce(g.slowest[2], 0),
           case when g.names is not null then g.oldest_at else (
               select date_bin('100 ms', :api.due_since(s.created_at, q.delay_s, q.window_s, l.last_push_at, null), 'epoch')
               from segment s
               where s.partition_id = l.id and s.base <= l.tail and l.tail < l.head
               order by s.base desc
               limit 1) end,
           coalesce(g.names, '{}'), coalesce(g.pendings, '{}'), coalesce(g.finished, '{}'), coalesce(g.dues, '{}'), g.recheck_at
    from unnest(partitions.ids, partitions.queues, partitions.heads, partitions.tails, partitions.removals, partitions.push_ats)
         as l (id, queue_id, head, tail, removed, last_push_at)
    join queue q on q.id = l.queue_id
    cross join lateral (select :api.unread(l.tail, l.head, null, l.removed) as total) t
    -- Each step ends with offset 0, so that its results are computed once.
    cross join lateral (
        select array_agg(c.group_name) as names, array_agg(c.pending) as pendings, array_agg(c.finished) as finished,
               array_agg(c.due_at) as dues, min(c.due_at) as oldest_at, max(array[c.pending, c.processing]) as slowest,
               min(c.lease_until) filter (where c.processing > 0) as recheck_at
        from (
            select c.group_name, c.finished, c.lease_until, :api.unread(c.first, l.head, c.acked, l.removed) as pending,
                   case when c.lease_until > at then :api.unread(c.first, c.lease_end, c.acked, l.removed) else 0 end as processing,
                   (select date_bin('100 ms', :api.due_since(s.created_at, q.delay_s, q.window_s, l.last_push_at, c.retry_at), 'epoch')
                    from segment s
                    where s.partition_id = l.id and s.base <= c.first and c.first < l.head
                    order by s.base desc
                    limit 1) as due_at
            from (
                select c.*, :api.first_unread(c.place, l.tail, c.acked, l.removed) as first
                from (
                    select n.group_name, coalesce(c.completed_count + c.dead_count, 0) as finished, c.lease_until, c.lease_end,
                           c.acked, nullif(c.retry_at, '-infinity') as retry_at,
                           coalesce(c.committed, case when n.from_at is null then l.tail else :offset_at(l.id, l.tail, l.head, n.from_at) end) as place
                    from (
                        select u.name as group_name, u.from_at
                        from unnest(q.names, q.froms) as u (name, from_at)
                        union all
                        select k.group_name, null
                        from cursor_key k
                        where k.partition_id = l.id
                          and k.group_name <> all (q.names)
                    ) n
                    left join lateral :newest_cursor(l.id, n.group_name) c on true
                    offset 0
                ) c
                offset 0
            ) c
            offset 0
        ) c
    ) g;
end
$$;
