create function :api.lock_partitions(partition_ids uuid[])
returns uuid[]
language plpgsql volatile
as $$
-- Promise:  locks partitions, so that no push and no new cursor is possible in them until the transaction ends.
-- Params:   the partitions.
-- Returns:  the locked partitions, ascending: those that exist and that no other transaction has locked.
-- Locks:    partition rows, then their partition_key rows, for update, ascending by id, never waiting.
-- Writes:   nothing
#variable_conflict use_column
declare
    free uuid[];
begin
    free := array(
        select p.id
        from unnest(partition_ids) as i (partition_id)
        join partition p on p.id = any (array[i.partition_id])
        order by i.partition_id
        for update of p skip locked);
    -- Other transactions lock partition rows, too, and a pop must not wait for them. Routines that create cursors check the key, which only
    -- upkeep locks.
    return array(
        select k.id
        from unnest(free) as f (id)
        join partition_key k on k.id = any (array[f.id])
        order by f.id
        for update of k skip locked);
end
$$;
