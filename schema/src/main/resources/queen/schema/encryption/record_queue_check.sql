create function :api.record_queue_check(of_queue uuid, at timestamptz)
returns int
language sql volatile
as $$
-- Promise:  records that the partitions of the queue with pushes before this time were checked, in this shard.
-- Params:   the queue; the time.
-- Returns:  1; 0 if the queue is not encrypted and never was.
-- Locks:    the row it writes.
-- Writes:   queen.key_queue
with done as (
    update queen.key_queue k set checked_at = record_queue_check.at where k.queue_id = of_queue and k.shard = current_schema() returning 1
)
select count(*)::int from done
$$;
