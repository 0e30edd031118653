create function :api.record_lease_partitions(partitions uuid[], holders uuid[])
returns void
language plpgsql volatile
as $$
-- Promise:  records which partitions a lease id covers. A lease id of a single partition begins like the id of that partition; only leases
--           that cannot be found by this prefix are recorded.
-- Params:   arrays of equal length: partitions and their lease ids; null for a partition that was not leased.
-- Returns:  nothing.
-- Locks:    the lease_partitions rows.
-- Writes:   lease_partitions
#variable_conflict use_column
declare
    partition    record;
begin
    for partition in
        select d.lease_id, array_agg(d.partition_id) as covered
        from unnest(partitions, holders) as d (partition_id, lease_id)
        where d.lease_id is not null
        group by d.lease_id
        having count(*) > 1 or min(left(d.partition_id::text, 13)) <> left(d.lease_id::text, 13)
    loop
        insert into lease_partitions (lease_id, partition_ids)
        values (partition.lease_id, partition.covered)
        on conflict (lease_id) do update set partition_ids = lease_partitions.partition_ids || excluded.partition_ids;
    end loop;
end
$$;
