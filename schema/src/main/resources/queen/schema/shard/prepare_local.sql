create function :api.prepare_local(shard text)
returns bigint
language plpgsql volatile
as $$
-- Promise:  where this node of a Citus cluster holds the shard, a schema of this node alone has views onto the shard's tables themselves, and onto this
--           node's copy of the catalog, which are only to be read: for hold_shard. Where a view is missing, the table that Citus knows stands in its place.
-- Params:   the schema of the shard.
-- Returns:  the number to call hold_shard with; null where the shard is not on this node.
-- Locks:    an advisory lock of the shard, until the transaction ends, where views have to be made.
-- Writes:   the views
#variable_conflict use_column
declare
    views       constant text := shard || '_local';
    shard_id    bigint;
    change      text;
begin
    if to_regclass('pg_catalog.pg_dist_schema') is null then
        return null;
    end if;
    select d.shardid into shard_id from pg_dist_shard d where d.logicalrelid = to_regclass(format('%I.partition', shard));
    if shard_id is null or not :api.is_here(shard_id) then
        return null;
    end if;
    if :api.missing_views(shard, views) <> '{}' then
        perform pg_advisory_xact_lock(hashtextextended(views, 0)),
                set_config('citus.enable_ddl_propagation', 'off', true),
                set_config('client_min_messages', 'warning', true);
        execute format('create schema if not exists %I', views);
        -- Somebody else may have made them meanwhile.
        foreach change in array :api.missing_views(shard, views) loop
            execute change;
        end loop;
    end if;
    return shard_id;
end
$$;
