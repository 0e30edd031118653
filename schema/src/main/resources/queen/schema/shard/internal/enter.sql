create function :api.enter(shard text)
returns void
language plpgsql volatile
as $$
-- Promise:  from now on, until the transaction ends or the routine that has a search_path of its own, tables without a schema are those
--           of the shard, and of the catalog. Whoever writes in several shards enters one after the other, in the order of shards().
-- Params:   a shard's schema; or queen, in which they are those of all shards, to be read.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   nothing
begin
    -- Temporary tables are named last: else one of a user's session that is called like a table of ours would stand in its place.
    perform set_config('search_path', format('%I, queen, pg_temp', shard), true);
end
$$;
