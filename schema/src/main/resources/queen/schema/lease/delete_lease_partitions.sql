create function :api.delete_lease_partitions(leases_max int)
returns int
language plpgsql volatile
as $$
-- Promise:  deletes records of leases over several partitions that hold no partition any more.
-- Params:   leases_max: the maximum number of records to delete.
-- Returns:  the number of deleted records.
-- Locks:    lease_partitions rows.
-- Writes:   lease_partitions
#variable_conflict use_column
declare
    -- Recent records are kept: their cursors may not be committed yet.
    before      timestamptz := clock_timestamp() - interval '10 minutes';
    forgotten   int;
begin
    delete from lease_partitions l
    where l.lease_id = any (array(
        select x.lease_id
        from lease_partitions x
        where x.created_at < before
          and not exists (
              select 1
              from unnest(x.partition_ids) as i (partition_id)
              join cursor c on c.partition_id = any (array[i.partition_id]) and c.lease_id = x.lease_id)
        order by x.created_at
        limit leases_max));
    get diagnostics forgotten = row_count;
    return forgotten;
end
$$;
