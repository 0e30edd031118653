create function :api.counting_key()
returns bigint
language sql immutable
as $$
-- Promise:  the number of the advisory lock that whoever counts lanes holds.
-- Params:   none.
-- Returns:  the number.
-- Locks:    none.
-- Writes:   nothing
select 7165110007
$$;
