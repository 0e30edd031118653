create function :api.touch_queues(queue_names text[])
returns void
language plpgsql volatile
set search_path = queen, pg_temp
as $$
-- Promise:  records all partitions of these queues to be counted again. Sums whose counting begins after the commit include them.
-- Params:   queue_names.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   touched_partitions of every shard
declare
    shard text;
begin
    if cardinality(queue_names) > 0 then
        foreach shard in array :api.shards() loop
            perform :api.select_shard(shard);
            perform :api.touch_partitions('{}', queue_names);
        end loop;
    end if;
end
$$;
