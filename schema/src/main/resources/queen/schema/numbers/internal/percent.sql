create function :api.percent(part numeric, whole numeric)
returns numeric
language sql immutable
as $$
-- Promise:  returns the part as a percentage of the whole.
-- Params:   part, whole.
-- Returns:  0 to 100, with two digits; 0 if the whole is 0 or null.
-- Locks:    none.
-- Writes:   nothing
    select coalesce(round(100 * part / nullif(whole, 0), 2), 0);
$$;
