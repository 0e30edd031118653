create function :api.touch_queues(queue_names text[])
returns void
language plpgsql volatile
set search_path = queen, pg_temp
as $$
-- Promise:  all partitions of these queues are counted again before anybody is shown sums that were begun later.
-- Params:   the queues.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   touched_partitions of every shard
declare
    shard text;
begin
    if cardinality(queue_names) > 0 then
        foreach shard in array :api.shards() loop
            perform :api.enter(shard);
            perform :api.touch_partitions('{}', queue_names);
        end loop;
    end if;
end
$$;
