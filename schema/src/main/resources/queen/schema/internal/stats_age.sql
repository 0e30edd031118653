create function :api.stats_age()
returns numeric
language sql stable
as $$
-- Promise:  how old the sums over lanes are.
-- Params:   none.
-- Returns:  seconds; 0 when they were never counted, because there is nothing to count.
-- Locks:    nothing.
-- Writes:   nothing
    select coalesce(round(extract(epoch from now() - nullif(t.computed_at, '-infinity'))::numeric, 1), 0)
    from queen.depth_turn t;
$$;
