create function :api.select_shard(shard text)
returns void
language plpgsql volatile
as $$
-- Promise:  makes table names without a schema mean the tables of this shard, and of the catalog, until the end of the transaction or of
--           the routine that sets its own search_path. A routine that writes in several shards must select them in the order of shards().
-- Params:   shard: the schema of a shard; or queen, where the names are views over all shards, for reading.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   nothing
begin
    -- pg_temp must be last: otherwise a temporary table of the user could hide a table of the shard.
    perform set_config('search_path', format('%I, queen, pg_temp', shard), true);
end
$$;
