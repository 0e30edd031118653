create function :api.iso_millis(at timestamptz)
returns text
language sql stable
as $$
-- Promise:  a moment as listings show it: UTC, milliseconds, Z at the end.
-- Params:   null stays null.
-- Returns:  such as 2026-01-02T03:04:05.678Z.
-- Locks:    nothing.
-- Writes:   nothing
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
$$;
