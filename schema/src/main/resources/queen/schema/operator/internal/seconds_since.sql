create function :api.seconds_since(since timestamptz)
returns bigint
language sql volatile
as $$
-- Promise:  how many whole seconds ago a moment was.
-- Params:   the moment.
-- Returns:  the number; 0 for a moment to come, and for none.
-- Locks:    none.
-- Writes:   nothing
select coalesce(greatest(0, floor(extract(epoch from clock_timestamp() - since)))::bigint, 0)
$$;
