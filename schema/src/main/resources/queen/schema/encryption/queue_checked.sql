create function :api.queue_checked(of_queue uuid, at timestamptz)
returns int
language sql volatile
as $$
-- Promise:  records that the partitions of the queue that were pushed to before this moment were looked at, in this shard.
-- Params:   the queue; the moment.
-- Returns:  1; 0 when the queue is not encrypted and never was.
-- Locks:    the row it writes.
-- Writes:   queen.key_queue
with done as (
    update queen.key_queue k set checked_at = queue_checked.at where k.queue_id = of_queue and k.shard = current_schema() returning 1
)
select count(*)::int from done
$$;
