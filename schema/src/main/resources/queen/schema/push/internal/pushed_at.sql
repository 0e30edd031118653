create function :api.pushed_at(at timestamptz, last_push_at timestamptz)
returns timestamptz
language sql stable
as $$
-- Promise:  returns the time of a new message. It is not before the last message of its partition, because searches by time rely on the
--           order. If the last message is dated more than a minute in the future, the clock of PostgreSQL was ahead, and the present time
--           counts. A search by time may then end before that message, but never after the right place. PostgreSQL inlines this expression.
-- Params:   at: the present time, read under the lock of the partition; last_push_at: of the partition, or null.
-- Returns:  the time.
-- Locks:    none.
-- Writes:   nothing
select case when last_push_at > at + interval '1 minute' then at else greatest(at, last_push_at) end
$$;
