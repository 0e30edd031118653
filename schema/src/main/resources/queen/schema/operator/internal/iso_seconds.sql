create function :api.iso_seconds(at timestamptz)
returns text
language sql immutable
as $$
-- Promise:  returns a time in ISO 8601 in UTC with seconds.
-- Params:   at: may be null.
-- Returns:  2026-01-02T03:04:00Z; null for null.
-- Locks:    none.
-- Writes:   nothing
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
$$;
