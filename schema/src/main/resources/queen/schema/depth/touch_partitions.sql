create function :api.touch_partitions(partition_ids uuid[], queue_names text[])
returns void
language plpgsql volatile
as $$
-- Promise:  records partitions to be counted again. Sums whose counting begins after the commit include them.
-- Params:   partitions with changes in this transaction or before, each any number of times; queue_names: queues whose partitions are all
--           to be counted.
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
