create function :api.claim_partitions(partition_ids uuid[], queue_ids uuid[], names text[])
returns uuid[]
language plpgsql volatile
as $$
-- Promise:  each partition has its key, and whoever is told that a key is new is the one to insert the partition, in the same transaction.
-- Params:   arrays of equal length, each partition once.
-- Returns:  the partitions whose keys are new. QN400: one of these would be called . or ..
-- Locks:    the new partition_key rows, ascending by id. One that somebody else is inserting is waited for.
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
            perform :api.reject_dots(array[partition.name], 'the partition');
        end if;
        claimed := claimed || partition.id;
    end loop;
    return claimed;
end
$$;
