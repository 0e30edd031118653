create function :api.lease_plain(
    partition_ids uuid[], group_names text[], lease_ids uuid[], batches int[], lease_seconds int[],
    is_auto_ack boolean, plains boolean[], soles boolean[], byte_rooms bigint[], at timestamptz)
returns table (index bigint, first bigint, "end" bigint, head bigint, bytes bigint)
language plpgsql volatile
as $$
-- Promise:  leases the lanes that are plain and about which nothing is unusual: nobody holds them, nothing failed, nothing was
--           acked out of order or removed, nobody paused them, and so many of their largest message have room. Most lanes are like that, and one short statement does for them.
-- Params:   as in lease; at: the moment by which leases are judged.
-- Returns:  one row per lane that was leased.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor
#variable_conflict use_column
begin
    return query
    with locked as (
        select i.index, c.tid, i.lease_id, i.lease_s, i.is_sole, p.head, p.largest_line,
               greatest(c.committed, p.tail) as first, least(greatest(c.committed, p.tail) + i.batch, p.head) as "end"
        from (
            select i.*
            from unnest(partition_ids, group_names, lease_ids, batches, lease_seconds, plains, soles, byte_rooms)
                 with ordinality as i (partition_id, group_name, lease_id, batch, lease_s, is_plain, is_sole, byte_room, index)
            where i.is_plain
            order by i.partition_id, i.group_name
        ) i
        cross join lateral (
            select c.ctid as tid, c.committed, c.lease_id, c.acked, c.retry_at, c.is_failing
            from cursor c
            where c.partition_id = i.partition_id and c.group_name = i.group_name
            order by c.generation desc
            limit 1
            for update skip locked
        ) c
        cross join lateral (
            select v.* from partition v
            where v.id = i.partition_id
            order by v.generation desc limit 1
        ) p
        where c.lease_id is null
          and c.acked is null
          and c.retry_at is null
          and not c.is_failing
          and p.removed is null
          and not p.is_paused
          and greatest(c.committed, p.tail) < p.head
          and (i.byte_room is null or i.batch * p.largest_line::bigint <= i.byte_room)
    ), given as (
        update cursor c
        set committed = case when is_auto_ack then l."end" else l.first end,
            completed_count = case when is_auto_ack then c.completed_count + l."end" - l.first else c.completed_count end,
            last_ack_at = case when is_auto_ack then at else c.last_ack_at end,
            lease_id = case when not is_auto_ack then l.lease_id end,
            lease_until = case when not is_auto_ack then at + make_interval(secs => l.lease_s) end,
            lease_end = case when not is_auto_ack then l."end" end,
            is_alone = coalesce(l.is_sole, false) and l."end" = l.first + 1,
            :written(c)
        from locked l
        -- Not seen if it was written since this statement began: then it is not leased here, but the longer way.
        where c.ctid = l.tid
        returning l.index, l.first, l."end", l.head, (l."end" - l.first) * l.largest_line as bytes
    )
    select g.index, g.first, g."end", g.head, g.bytes
    from given g;
end
$$;
