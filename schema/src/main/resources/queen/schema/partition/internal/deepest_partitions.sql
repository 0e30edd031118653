create function :api.deepest_partitions(queue_id uuid, rows_max bigint)
returns table (target_id uuid, unread bigint)
language plpgsql stable
as $$
-- Promise:  returns the partitions of a queue with the most unread messages, as last counted.
-- Params:   the queue; rows_max: the maximum number per shard.
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
            return query select d.* from :api.deepest_partitions(deepest_partitions.queue_id, rows_max) d;
        end loop;
        perform :api.select_shard('queen');
        return;
    end if;
    return query
    select d.partition_id, d.pending
    from partition_depth d
    where d.queue_id = deepest_partitions.queue_id
      and d.pending > 0
    order by d.pending desc
    limit rows_max;
end
$$;
