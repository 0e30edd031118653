create function :api.eviction_age(max_wait_time_s int, ttl_s int)
returns int
language sql immutable
as $$
-- Promise:  returns after how many seconds an unfinished message expires. A ttl of 3600 means no limit: clients send it by default.
-- Params:   the options of the queue.
-- Returns:  the seconds; null for no limit.
-- Locks:    none.
-- Writes:   nothing
select least(nullif(max_wait_time_s, 0), case when ttl_s not in (0, 3600) then ttl_s end)
$$;
