create function :api.touch_partitions(partition_ids uuid[], queue_names text[])
returns void
language plpgsql volatile
as $$
-- Promise:  these partitions are counted again before anybody is shown sums that were begun later.
-- Params:   partitions in which something was committed, or will be with this transaction, each any number of times; queues of which all
--           partitions are to be counted.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   touched_partitions
#variable_conflict use_column
begin
    insert into touched_partitions (partition_ids, queue_names)
    select touch_partitions.partition_ids, touch_partitions.queue_names
    where cardinality(touch_partitions.partition_ids) + cardinality(touch_partitions.queue_names) > 0;
end
$$;
