create function :api.claim_partitions(partition_ids uuid[], queue_ids uuid[], names text[])
returns uuid[]
language plpgsql volatile
as $$
-- Promise:  inserts the missing keys of partitions. The caller must insert the partitions with new keys in the same transaction.
-- Params:   arrays of equal length, each partition once.
-- Returns:  the partitions with new keys. QN400: one of them is named . or ..
-- Locks:    the new partition_key rows, ascending by id; waits for a transaction that is inserting the same key.
-- Writes:   partition_key
#variable_conflict use_column
declare
    claimed     uuid[] := '{}';
    partition   record;
begin
    for partition in
        insert into partition_key (id, queue_id, name)
        select i.partition_id, i.queue_id, i.name
        from unnest(partition_ids, queue_ids, names) as i (partition_id, queue_id, name)
        order by i.partition_id
        on conflict do nothing
        returning id, name
    loop
        if partition.name in ('.', '..') then
            perform :api.reject_dot_names(array[partition.name], 'the partition');
        end if;
        claimed := claimed || partition.id;
    end loop;
    return claimed;
end
$$;
