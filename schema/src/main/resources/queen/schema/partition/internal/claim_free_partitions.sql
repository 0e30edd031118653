create function :api.claim_free_partitions(partition_ids uuid[], queue_ids uuid[], names text[])
returns uuid[]
language plpgsql volatile
set lock_timeout = '20ms'
as $$
-- Promise:  does what claim_partitions does, but waits only a moment for a partition that an open transaction is creating; other partitions
--           are claimed nevertheless. After ten such partitions the rest is left out.
-- Params:   arrays of equal length, each partition once.
-- Returns:  the partitions with new keys; the caller must insert them.
-- Locks:    the new partition_key rows, ascending by id, waiting for a moment only (lock_timeout).
-- Writes:   partition_key
#variable_conflict use_column
declare
    claimed     uuid[] := '{}';
    partition   record;
    held        int := 0;
begin
    -- An uncommitted row is invisible, and an insert of the same key waits for it: the wait is the only sign.
    return :api.claim_partitions(partition_ids, queue_ids, names);
exception when lock_not_available then
    for partition in
        select i.*
        from unnest(partition_ids, queue_ids, names) as i (partition_id, queue_id, name)
        order by i.partition_id
    loop
        exit when held = 10;
        begin
            perform set_config('lock_timeout', '1ms', true);
            claimed := claimed || :api.claim_partitions(array[partition.partition_id], array[partition.queue_id], array[partition.name]);
        exception when lock_not_available then
            held := held + 1;
        end;
    end loop;
    return claimed;
end
$$;
