create function :api.newest_messages(
    queue text, partition text, namespace text, task text, wanted_status text, from_at timestamptz, to_at timestamptz,
    page bigint, skipped bigint, scope uuid[] default null)
returns table (
    queue_id uuid, partition_id uuid, partition_name text, message_offset bigint, created_at timestamptz, status text, queue_status text,
    consumed_by bigint, total_groups bigint, lease_until timestamptz)
language plpgsql stable
as $$
-- Promise:  returns positions and states of messages, newest first. Bodies are not read. Reads at most the newest segments of the hundred
--           partitions of a shard with the latest pushes, and with a status filter ten thousand messages of the shard.
-- Params:   null means any; from_at, to_at: time of the push; page, skipped: page size and number of rows before the page; scope: only
--           these queues, null for all.
-- Returns:  one row per message; if no shard is selected, page + skipped rows from each shard, in no order.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    at              timestamptz := clock_timestamp();
    partitions_max  constant int := 100;
    wanted          bigint := case when wanted_status is null then page + skipped else 10000 end;
    shard           text;
begin
    if current_schema() = 'queen' then
        foreach shard in array :api.shards() loop
            perform :api.select_shard(shard);
            return query
            select m.*
            from :api.newest_messages(queue, partition, namespace, task, wanted_status, from_at, to_at, page + skipped, 0, scope) m;
        end loop;
        perform :api.select_shard('queen');
        return;
    end if;

    return query
    with chosen as (
        select p.*
        from queen.queue q
        cross join lateral (
            select p.id, p.queue_id, p.name, p.head, p.tail, p.removed, p.active_at
            from partition p
            where p.queue_id = q.id
              and p.head > p.tail
              and (newest_messages.partition is null or p.id = :api.partition_id(q.id, newest_messages.partition))
              -- active_at lags behind the last push by up to ten seconds.
              and (from_at is null or p.active_at >= from_at - interval '10 seconds')
            order by p.active_at desc
            limit partitions_max
        ) p
        where (newest_messages.queue is null or q.name = newest_messages.queue)
          and (newest_messages.namespace is null or q.namespace = newest_messages.namespace)
          and (newest_messages.task is null or q.task = newest_messages.task)
          and (scope is null or q.id = any (scope))
        order by p.active_at desc
        limit partitions_max
    ), run as (
        select l.id, l.queue_id, l.name, l.tail, l.removed, s.base, s.count, s.created_at,
               sum(v.visible) over (order by s.created_at desc, l.id, s.base desc) - v.visible as newer
        from chosen l
        cross join lateral (
            -- offset 0: computed once per partition.
            select case when from_at is null then l.tail else :offset_at(l.id, l.tail, l.head, from_at) end as first,
                   case when to_at is null then l.head else :offset_at(l.id, l.tail, l.head, to_at) end as "end"
            offset 0
        ) o
        cross join lateral (
            select coalesce(sum(upper(r) - lower(r)), 0)::bigint as holes
            from unnest(l.removed) r
        ) h
        cross join lateral (
            select s.base, s.count, s.created_at
            from segment s
            where s.partition_id = l.id
              and s.base < o."end"
              and s.base + s.count > o.first
              -- Bounds the index search, which the line above alone does not.
              and s.base >= coalesce((select max(b.base) from segment b where b.partition_id = l.id and b.base <= o.first), 0)
            order by s.base desc
            limit wanted + h.holes
        ) s
        cross join lateral (
            -- Removed messages must not make a page shorter, or it would look like the last one.
            select s.base + s.count - greatest(s.base, l.tail) - case when h.holes = 0 then 0 else coalesce((
                select sum(upper(r) - lower(r))
                from unnest(l.removed * int8multirange(int8range(greatest(s.base, l.tail), s.base + s.count))) r), 0) end as visible
        ) v
    ), found as (
        select r.queue_id, r.id as partition_id, r.name, o as message_offset, r.created_at, m.*
        from run r
        cross join lateral generate_series(greatest(r.base, r.tail), r.base + r.count - 1) o
        cross join lateral :message_states(r.id, o, at) m
        where r.newer < wanted
          and not coalesce(r.removed @> o, false)
          and (wanted_status is null or m.status = wanted_status)
        order by r.created_at desc, r.id, o desc
        limit page
        offset skipped
    )
    select f.queue_id, f.partition_id, f.name, f.message_offset, f.created_at, f.status, f.queue_status, f.consumed_by, f.total_groups,
           f.lease_until
    from found f
    order by f.created_at desc, f.partition_id, f.message_offset desc;
end
$$;
