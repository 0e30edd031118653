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
    -- 3600 is what clients send for ttl without being asked: it has to mean nothing.
    when 'eviction' then case when queue.max_wait_time_s > 0 or queue.ttl_s not in (0, 3600)
        then array[least(nullif(queue.max_wait_time_s, 0), case when queue.ttl_s not in (0, 3600) then queue.ttl_s end)] end
end
$$;
