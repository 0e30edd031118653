create function :api.lease_plain(
    partition_ids uuid[], group_names text[], lease_ids uuid[], batches int[], lease_seconds int[],
    is_auto_ack boolean, plains boolean[], soles boolean[], byte_rooms bigint[], at timestamptz, except_indexes bigint[],
    out indexes bigint[], out firsts bigint[], out ends bigint[], out heads bigint[], out sizes bigint[])
language plpgsql volatile
as $$
-- Promise:  leases the partitions that are plain and about which nothing is unusual: nobody holds them, nothing failed, nothing was
--           acked out of order or removed, nobody paused them, and so many of their largest message have room. Most partitions are like that, and two short statements do for them.
-- Params:   as in lease; at: the moment by which leases are judged; except_indexes: positions to leave out, or null.
-- Returns:  arrays of equal length, one element per partition that was leased, null when none was.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor
#variable_conflict use_column
declare
    places  tid[];
    partitions   uuid[];
    groups  text[];
    holders uuid[];
    untils  timestamptz[];
    alone   boolean[];
    written bigint;
begin
    select array_agg(l.tid), array_agg(l.partition_id), array_agg(l.group_name), array_agg(l.lease_id), array_agg(at + make_interval(secs => l.lease_s)),
           array_agg(coalesce(l.is_sole, false) and l."end" = l.first + 1), array_agg(l.index), array_agg(l.first), array_agg(l."end"),
           array_agg(l.head), array_agg((l."end" - l.first) * l.largest_line)
    into places, partitions, groups, holders, untils, alone, indexes, firsts, ends, heads, sizes
    from (
        select i.index, c.tid, i.partition_id, i.group_name, i.lease_id, i.lease_s, i.is_sole, p.head, p.largest_line,
               greatest(c.committed, p.tail) as first, least(greatest(c.committed, p.tail) + i.batch, p.head) as "end"
        from (
            select i.*
            from unnest(partition_ids, group_names, lease_ids, batches, lease_seconds, plains, soles, byte_rooms)
                 with ordinality as i (partition_id, group_name, lease_id, batch, lease_s, is_plain, is_sole, byte_room, index)
            where i.is_plain
              and (i.index <> all (except_indexes)) is not false
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
    ) l;
    if indexes is null then
        return;
    end if;

    -- Where a cursor was found, there it is: it is locked.
    if is_auto_ack then
        update cursor c
        set committed = l."end",
            completed_count = c.completed_count + l."end" - l.first,
            last_ack_at = at,
            is_alone = l.is_alone,
            :written(c)
        from unnest(places, partitions, groups, firsts, ends, alone) as l (tid, partition_id, group_name, first, "end", is_alone)
        where c.ctid = l.tid and (c.partition_id = l.partition_id and c.group_name = l.group_name) is true;
    else
        update cursor c
        set committed = l.first,
            lease_id = l.lease_id,
            lease_until = l.until_at,
            lease_end = l."end",
            is_alone = l.is_alone,
            :written(c)
        from unnest(places, partitions, groups, firsts, ends, holders, untils, alone)
             as l (tid, partition_id, group_name, first, "end", lease_id, until_at, is_alone)
        where c.ctid = l.tid and (c.partition_id = l.partition_id and c.group_name = l.group_name) is true;
    end if;
    get diagnostics written = row_count;
    -- Some other row may be in that place, where Citus has just moved the shard to.
    if written < cardinality(places) then
        raise exception 'a cursor was given twice, or its shard was moved meanwhile' using errcode = '40001';
    end if;
end
$$;
