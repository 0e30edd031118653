create function :api.shards()
returns text[]
language sql stable
as $$
-- Promise:  returns the schemas of the shards, in the order in which every routine must process them, so that two transactions never wait
--           for each other in different shards.
-- Params:   none.
-- Returns:  the names, ascending by number.
-- Locks:    none.
-- Writes:   nothing
select array_agg(s.name order by s.number) from queen.shard s
$$;
