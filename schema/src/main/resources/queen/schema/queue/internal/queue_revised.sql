create function :api.queue_revised(queue_id uuid)
returns void
language plpgsql volatile
as $$
-- Promise:  makes every server drop its state of the partitions of the queue within a second, and they are counted again.
-- Params:   a queue whose cursors, partitions or messages were changed by an operator.
-- Returns:  nothing.
-- Locks:    the queen.queue row, for no key update; queen.catalog.
-- Writes:   queen.queue, queen.catalog, touched_partitions of every shard
#variable_conflict use_column
begin
    update queen.queue q set revision = q.revision + 1 where q.id = queue_revised.queue_id;
    update queen.catalog set version = version + 1;
    perform :api.touch_queues(array[q.name]) from queen.queue q where q.id = queue_revised.queue_id;
end
$$;
