create function :api.seconds_since(since timestamptz)
returns bigint
language sql volatile
as $$
-- Promise:  returns the whole seconds since a time.
-- Params:   since: the time.
-- Returns:  the number; 0 for a future time and for null.
-- Locks:    none.
-- Writes:   nothing
select coalesce(greatest(0, floor(extract(epoch from clock_timestamp() - since)))::bigint, 0)
$$;
