create function :api.iso_millis(at timestamptz)
returns text
language sql stable
as $$
-- Promise:  returns a time in ISO 8601 in UTC with milliseconds.
-- Params:   at: may be null.
-- Returns:  such as 2026-01-02T03:04:05.678Z; null for null.
-- Locks:    none.
-- Writes:   nothing
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
$$;
