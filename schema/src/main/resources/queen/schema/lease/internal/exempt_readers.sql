create function :api.exempt_readers(indexes int[], partition_ids uuid[], group_names text[], at timestamptz)
returns int[]
language plpgsql volatile
as $$
-- Promise:  selects the expired leases under which a stream runner read state and sent no cycle (is_exempt), and counts each such expiry at
--           the present offset of its cursor.
-- Params:   indexes: the positions of the expired leases in the two arrays; the caller has locked their cursor rows; at: the present time.
-- Returns:  the positions of the leases whose expiry charges no attempt.
-- Locks:    stream_partition rows, never waiting. A locked row is not counted.
-- Writes:   stream_partition
#variable_conflict use_column
declare
    spared      int[];
    partitions  uuid[];
    leases      uuid[];
    offsets     bigint[];
    queries     uuid[];
begin
    select array_agg(i.index), array_agg(c.partition_id), array_agg(c.lease_id), array_agg(c.committed)
    into spared, partitions, leases, offsets
    from unnest(indexes) as i (index)
    cross join lateral :newest_cursor(partition_ids[i.index], group_names[i.index]) c
    where :is_exempt(c.partition_id, c.lease_id, c.committed, at);
    if spared is null then
        return '{}';
    end if;

    queries := array(
        select l.query_id
        from unnest(partitions, leases) with ordinality as e (partition_id, lease_id, place)
        left join lateral (
            select l.query_id
            from stream_partition l
            where l.partition_id = e.partition_id and l.read_lease_id = e.lease_id
            for no key update skip locked
        ) l on true
        order by e.place);
    update stream_partition l
    set idle_expiries = case when l.idle_offset = e.committed then l.idle_expiries + 1 else 1 end,
        idle_since = case when l.idle_offset = e.committed then l.idle_since else at end,
        idle_offset = e.committed,
        read_lease_id = null
    from unnest(queries, partitions, offsets) as e (query_id, partition_id, committed)
    where l.query_id = any (array[e.query_id])
      and l.partition_id = e.partition_id;
    return spared;
end
$$;
