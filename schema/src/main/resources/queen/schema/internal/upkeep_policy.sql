create function :api.upkeep_policy(kind text, queue queen.queue)
returns int[]
language sql immutable
as $$
-- Promise:  after how many seconds messages of the queue have to go.
-- Params:   kind: retention or eviction.
-- Returns:  retention: {any message, a message every group has finished}; eviction: {a message nobody finished}. Null in
--           place of what is not limited, and instead of the array when nothing is.
-- Locks:    none.
-- Writes:   nothing
select case kind
    when 'retention' then case when queue.retention_enabled and (queue.retention_s > 0 or queue.completed_retention_s > 0)
        then array[nullif(queue.retention_s, 0), nullif(queue.completed_retention_s, 0)] end
    when 'eviction' then nullif(array[:api.eviction_age(queue.max_wait_time_s, queue.ttl_s)], array[null::int])
end
$$;
