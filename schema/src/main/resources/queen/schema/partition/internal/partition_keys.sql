create function :api.partition_keys(queue_id uuid, after_queue uuid, after_name text, most bigint)
returns table (id uuid, of_queue uuid, name text)
language plpgsql stable
as $$
-- Promise:  partitions of a queue, or of all queues, in the order of their queues' ids and their names, found by their keys.
-- Params:   the queue, null for all; behind which queue and name to begin; how many of a shard.
-- Returns:  one row per partition; where no shard is entered, those of all of them, in no order.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    shard text;
begin
    if current_schema() = 'queen' then
        foreach shard in array :api.shards() loop
            perform :api.enter(shard);
            return query select k.* from :api.partition_keys(partition_keys.queue_id, after_queue, after_name, most) k;
        end loop;
        perform :api.enter('queen');
        return;
    end if;
    return query
    select k.id, k.queue_id, k.name
    from partition_key k
    where (k.queue_id, k.name) > (after_queue, after_name)
      and (partition_keys.queue_id is null or k.queue_id = partition_keys.queue_id)
    order by k.queue_id, k.name
    limit most;
end
$$;
