create function :api.percent(part numeric, whole numeric)
returns numeric
language sql immutable
as $$
-- Promise:  how much of the whole the part is.
-- Params:   two amounts.
-- Returns:  0 to 100, with two digits; 0 when there is no whole.
-- Locks:    nothing.
-- Writes:   nothing
    select coalesce(round(100 * part / nullif(whole, 0), 2), 0);
$$;
