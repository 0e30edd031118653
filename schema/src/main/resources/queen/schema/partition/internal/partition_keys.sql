create function :api.partition_keys(queue_id uuid, after_queue uuid, after_name text, rows_max bigint)
returns table (id uuid, of_queue uuid, name text)
language plpgsql stable
as $$
-- Promise:  returns partitions of a queue, or of all queues, ordered by queue id and name, found by their keys.
-- Params:   the queue, null for all; after_queue, after_name: the end of the previous page; rows_max: the maximum number per shard.
-- Returns:  one row per partition; if no shard is selected, those of all shards, in no order.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    shard text;
begin
    if current_schema() = 'queen' then
        foreach shard in array :api.shards() loop
            perform :api.select_shard(shard);
            return query select k.* from :api.partition_keys(partition_keys.queue_id, after_queue, after_name, rows_max) k;
        end loop;
        perform :api.select_shard('queen');
        return;
    end if;
    return query
    select k.id, k.queue_id, k.name
    from partition_key k
    where (k.queue_id, k.name) > (after_queue, after_name)
      and (partition_keys.queue_id is null or k.queue_id = partition_keys.queue_id)
    order by k.queue_id, k.name
    limit rows_max;
end
$$;
