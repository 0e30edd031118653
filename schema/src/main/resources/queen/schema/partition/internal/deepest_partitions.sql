create function :api.deepest_partitions(queue_id uuid, most bigint)
returns table (target_id uuid, unread bigint)
language plpgsql stable
as $$
-- Promise:  the partitions of a queue in which most was unread when they were last counted.
-- Params:   the queue; how many of a shard.
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
            return query select d.* from :api.deepest_partitions(deepest_partitions.queue_id, most) d;
        end loop;
        perform :api.enter('queen');
        return;
    end if;
    return query
    select d.partition_id, d.pending
    from partition_depth d
    where d.queue_id = deepest_partitions.queue_id
      and d.pending > 0
    order by d.pending desc
    limit most;
end
$$;
