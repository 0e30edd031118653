create function :api.touch_lanes(partition_ids uuid[], queue_names text[])
returns void
language plpgsql volatile
as $$
-- Promise:  these lanes are counted again before anybody is shown sums that were begun later.
-- Params:   lanes in which something was committed, or will be with this transaction, each any number of times; queues of which all
--           lanes are to be counted.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   touched_lanes
#variable_conflict use_column
begin
    insert into touched_lanes (partition_ids, queue_names)
    select touch_lanes.partition_ids, touch_lanes.queue_names
    where cardinality(touch_lanes.partition_ids) + cardinality(touch_lanes.queue_names) > 0;
end
$$;
