create function :api.insert_claimed(claimed uuid[], partition_ids uuid[], queue_ids uuid[], names text[])
returns void
language plpgsql volatile
as $$
-- Promise:  inserts claimed partitions, without messages.
-- Params:   claimed: the partitions whose keys the caller has just inserted; arrays of equal length that describe them, each partition
--           once.
-- Returns:  nothing.
-- Locks:    the new partition rows.
-- Writes:   partition
#variable_conflict use_column
begin
    insert into partition (id, queue_id, name, head, tail)
    select i.partition_id, i.queue_id, i.name, q.partition_floor, q.partition_floor
    from unnest(partition_ids, queue_ids, names) as i (partition_id, queue_id, name)
    join queue q on q.id = any (array[i.queue_id])
    where i.partition_id = any (claimed);
end
$$;
