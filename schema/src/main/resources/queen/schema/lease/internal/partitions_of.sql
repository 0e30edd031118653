create function :api.partitions_of(lease_ids uuid[])
returns table (index int, lease_id uuid, partition_id uuid, group_name text)
language plpgsql stable
as $$
-- Promise:  returns the cursors that have a lease id, live or not, without an index on a column that changes with every pop: a lease id
--           begins like the id of its partition, and other partitions are in lease_partitions.
-- Params:   lease_ids: each once.
-- Returns:  one row per cursor; index is the position of its lease id.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select i.index::int, i.lease_id, k.partition_id, k.group_name
    from unnest(lease_ids) with ordinality as i (lease_id, index)
    cross join lateral (
        -- offset 0 makes this one index search per lease.
        select k.partition_id, k.group_name
        from cursor_key k
        cross join lateral :newest_cursor(k.partition_id, k.group_name) c
        where k.partition_id >= (left(i.lease_id::text, 13) || '-0000-0000-000000000000')::uuid
          and k.partition_id <= (left(i.lease_id::text, 13) || '-ffff-ffff-ffffffffffff')::uuid
          and c.lease_id = i.lease_id
        offset 0
    ) k
    union
    select i.index::int, i.lease_id, k.partition_id, k.group_name
    from unnest(lease_ids) with ordinality as i (lease_id, index)
    join lease_partitions l on l.lease_id = any (array[i.lease_id])
    cross join lateral unnest(l.partition_ids) as o (partition_id)
    cross join lateral (
        select k.partition_id, k.group_name from cursor_key k where k.partition_id = o.partition_id offset 0
    ) k
    cross join lateral :newest_cursor(k.partition_id, k.group_name) c
    where c.lease_id = i.lease_id;
end
$$;
