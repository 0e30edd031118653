create function :api.lease_plain(
    partition_ids uuid[], group_names text[], lease_ids uuid[], batches int[], lease_seconds int[],
    is_auto_ack boolean, plains boolean[], soles boolean[], byte_limits bigint[], at timestamptz, except_indexes bigint[],
    out indexes bigint[], out firsts bigint[], out ends bigint[], out heads bigint[], out sizes bigint[])
language plpgsql volatile
as $$
-- Promise:  leases ready partitions for which nothing has to be looked up: nothing failed, no out-of-order acks, nothing removed, and the
--           messages fit the byte limit. Most partitions are like that. Decides as lease does, but each lease id has one partition, so
--           there are no shares: 100 partitions cost a third of what they cost in lease.
-- Params:   as in lease; at: the time by which leases are judged; except_indexes: positions to leave out, or null.
-- Returns:  arrays of equal length, one element per leased partition; null if none was leased.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor
#variable_conflict use_column
declare
    places      tid[];
    partitions  uuid[];
    groups      text[];
    holders     uuid[];
    untils      timestamptz[];
    alone       boolean[];
    written     bigint;
begin
    select array_agg(l.tid), array_agg(l.partition_id), array_agg(l.group_name), array_agg(l.lease_id), array_agg(at + make_interval(secs => l.lease_s)),
           array_agg(:is_alone(l.is_sole, l.first, l."end", null)), array_agg(l.index), array_agg(l.first), array_agg(l."end"),
           array_agg(l.head), array_agg((l."end" - l.first) * l.largest_line)
    into places, partitions, groups, holders, untils, alone, indexes, firsts, ends, heads, sizes
    from (
        select i.index, c.tid, i.partition_id, i.group_name, i.lease_id, i.lease_s, i.is_sole, p.head, p.largest_line, f.first, f."end"
        from (
            select i.*
            from unnest(partition_ids, group_names, lease_ids, batches, lease_seconds, plains, soles, byte_limits)
                 with ordinality as i (partition_id, group_name, lease_id, batch, lease_s, is_plain, is_sole, byte_limit, index)
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
        cross join lateral :newest_partition(i.partition_id) p
        cross join lateral (
            select greatest(c.committed, p.tail) as first, :batch_end(greatest(c.committed, p.tail), i.batch, p.head) as "end"
        ) f
        -- Equivalent to partition_status = 'ready', whose call costs 1 % of a lease.
        where c.lease_id is null
          and f.first < p.head
          and not p.is_paused
          and c.retry_at is null
          and c.acked is null
          and p.removed is null
          and not c.is_failing
          and :fits(f.first, f."end", p.largest_line, i.byte_limit)
    ) l;
    if indexes is null then
        return;
    end if;

    -- The rows are locked, so each ctid is still valid.
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
    -- If Citus has moved the shard meanwhile, another row may have this ctid.
    if written < cardinality(places) then
        raise exception 'an argument names a cursor twice, or its shard was moved during the call' using errcode = '40001';
    end if;
end
$$;
