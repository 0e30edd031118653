create function :api.take_partitions(partition_ids uuid[])
returns uuid[]
language plpgsql volatile
as $$
-- Promise:  nobody pushes to these partitions or comes to them anew until the transaction ends.
-- Params:   the partitions.
-- Returns:  those that exist and that nobody else is working on at this moment, ascending.
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
    -- The partition's row alone does not say that upkeep is at work there: a pop must not wait for whoever else locks that, so who opens a
    -- cursor goes by the key.
    return array(
        select k.id
        from unnest(free) as f (id)
        join partition_key k on k.id = any (array[f.id])
        order by f.id
        for update of k skip locked);
end
$$;
