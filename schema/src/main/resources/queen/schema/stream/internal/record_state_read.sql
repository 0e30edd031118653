create function :api.record_state_read(query_id uuid, partition_id uuid, lease_id uuid)
returns void
language plpgsql volatile
set lock_timeout = '100ms'
as $$
-- Promise:  stores under which lease a query read the state of a partition, so that the expiry of the lease charges no attempt. Stores
--           nothing if another transaction has locked the row, or the partition, for longer than a moment.
-- Params:   the query; the partition; the live lease of the query's group.
-- Returns:  nothing.
-- Locks:    the partition row, for key share, never waiting; the stream_partition row, waiting for a moment only (lock_timeout).
-- Writes:   stream_partition
#variable_conflict use_column
declare
    found_name   text;
begin
    perform
    from stream_partition l
    where l.query_id = record_state_read.query_id
      and l.partition_id = record_state_read.partition_id
    for no key update skip locked;
    if found then
        update stream_partition l
        set read_lease_id = record_state_read.lease_id
        where l.query_id = record_state_read.query_id
          and l.partition_id = record_state_read.partition_id;
        return;
    end if;

    begin
        -- A deletion of the partition waits for this lock and then deletes the new row.
        select p.name into found_name
        from partition p
        where p.id = record_state_read.partition_id
        order by p.generation desc
        limit 1
        for key share skip locked;
        if found then
            insert into stream_partition as l (query_id, partition_id, partition_name, read_lease_id)
            values (record_state_read.query_id, record_state_read.partition_id, found_name, record_state_read.lease_id)
            on conflict (query_id, partition_id) do update set read_lease_id = excluded.read_lease_id;
        end if;
    exception when lock_not_available then
        return;
    end;
end
$$;
