create function :api.stats_age()
returns numeric
language plpgsql stable
as $$
-- Promise:  how old the sums over partitions are: what happened before is in them.
-- Params:   none.
-- Returns:  seconds; 0 when they were never counted, because there is nothing to count.
-- Locks:    nothing.
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
