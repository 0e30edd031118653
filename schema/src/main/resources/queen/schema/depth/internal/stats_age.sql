create function :api.stats_age()
returns numeric
language plpgsql stable
as $$
-- Promise:  returns the age of the sums over partitions: they include all changes before that time.
-- Params:   none.
-- Returns:  seconds; 0 if they were never counted, because there is nothing to count.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select coalesce(round(extract(epoch from now() - least(
                       nullif(t.computed_at, '-infinity'),
                       (select min(d.recount_since) from queue_depth d where d.recount_since is not null)))::numeric, 1), 0)
            from depth_turn t);
end
$$;
