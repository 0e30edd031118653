create function :api.forget_leases(leases_max int)
returns int
language plpgsql volatile
as $$
-- Promise:  what was written down about leases over several partitions is forgotten when no partition is under them any more.
-- Params:   how many to forget at most.
-- Returns:  how many were forgotten.
-- Locks:    lease_partitions rows.
-- Writes:   lease_partitions
#variable_conflict use_column
declare
    -- Young ones are left alone: their cursors may not be committed yet.
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
