create function :api.eviction_age(max_wait_time_s int, ttl_s int)
returns int
language sql immutable
as $$
-- Promise:  after how many seconds a message that nobody finished has to go. 3600 is what clients send for ttl without being asked: it
--           has to mean nothing.
-- Params:   the options of the queue.
-- Returns:  the seconds; null where that is not limited.
-- Locks:    none.
-- Writes:   nothing
select least(nullif(max_wait_time_s, 0), case when ttl_s not in (0, 3600) then ttl_s end)
$$;
