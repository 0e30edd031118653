create function :api.iso_seconds(at timestamptz)
returns text
language sql immutable
as $$
-- Promise:  the beginning of a bucket as documents say it: in UTC, whole seconds.
-- Params:   a moment, or null.
-- Returns:  2026-01-02T03:04:00Z; null for null.
-- Locks:    nothing.
-- Writes:   nothing
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
$$;
