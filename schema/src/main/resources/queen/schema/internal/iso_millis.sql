create function :api.iso_millis(at timestamptz)
returns text
language sql stable
as $$
-- Promise:  a moment as documents show it: UTC, milliseconds, Z.
-- Params:   the moment; null gives null.
-- Returns:  such as 2024-01-31T12:00:00.000Z.
-- Locks:    none.
-- Writes:   nothing
select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
