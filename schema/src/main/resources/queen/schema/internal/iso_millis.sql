create function :api.iso_millis(at timestamptz)
returns text
language sql stable strict
as $$
-- Promise:  the moment as listings say it: UTC, milliseconds, a Z at the end, whatever the session's time zone.
-- Params:   the moment.
-- Returns:  the text; null for null.
-- Locks:    none.
-- Writes:   nothing
select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
