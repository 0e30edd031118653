create function :api.shards()
returns text[]
language sql stable
as $$
-- Promise:  the schemas of the shards, in the order in which everybody goes through them, so that nobody who waits in one is waited for
--           in an earlier one.
-- Params:   none.
-- Returns:  the names, ascending by number.
-- Locks:    none.
-- Writes:   nothing
select array_agg(s.name order by s.number) from queen.shard s
$$;
