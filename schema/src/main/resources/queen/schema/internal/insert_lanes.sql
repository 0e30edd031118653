create function :api.insert_lanes(partition_ids uuid[], queue_ids uuid[], names text[])
returns boolean
language plpgsql volatile
as $$
-- Promise:  each lane exists, empty, if its queue does and nothing is known of the lane: one of which the key is there is left
--           as it is. The only way into the table, but for restore_lanes.
-- Params:   arrays of equal length, each lane once.
-- Returns:  whether any of them is new.
-- Locks:    the new partition_key and partition rows, ascending by id. One that somebody else is inserting is waited for.
-- Writes:   partition, partition_key
#variable_conflict use_column
declare
    claimed uuid[];
begin
    select :api.claim_lanes(array_agg(i.partition_id), array_agg(i.queue_id), array_agg(i.name))
    into claimed
    from unnest(partition_ids, queue_ids, names) as i (partition_id, queue_id, name)
    where exists (select from queen.queue q where q.id = i.queue_id offset 0);
    if claimed = '{}' then
        return false;
    end if;
    insert into partition (id, queue_id, name, head, tail)
    select i.partition_id, i.queue_id, i.name, q.lane_floor, q.lane_floor
    from unnest(partition_ids, queue_ids, names) as i (partition_id, queue_id, name)
    join queen.queue q on q.id = any (array[i.queue_id])
    where i.partition_id = any (claimed);
    return found;
end
$$;
