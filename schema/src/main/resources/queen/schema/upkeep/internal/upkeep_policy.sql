create function :api.upkeep_policy(
    kind text, retention_enabled boolean, retention_s int, completed_retention_s int, max_wait_time_s int, ttl_s int)
returns int[]
language sql immutable
as $$
-- Promise:  returns after how many seconds messages of the queue are removed.
-- Params:   kind: retention or eviction; the options of the queue.
-- Returns:  retention: {any message, a message that every group has finished}; eviction: {an unfinished message}. Null for an element
--           without a limit, and instead of the array if there is no limit.
-- Locks:    none.
-- Writes:   nothing
select case kind
    when 'retention' then case when retention_enabled and (retention_s > 0 or completed_retention_s > 0)
        then array[nullif(retention_s, 0), nullif(completed_retention_s, 0)] end
    when 'eviction' then nullif(array[:api.eviction_age(max_wait_time_s, ttl_s)], array[null::int])
end
$$;
