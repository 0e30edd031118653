create function :api.prepare_local(shard text)
returns bigint
language plpgsql volatile
as $$
-- Promise:  if this node of a Citus cluster has the shard, creates the missing views of lock_shard: a schema on this node alone with views
--           on the tables of the shard itself, and on the copy of the catalog on this node, which must only be read. Where a view is
--           missing, the name means the table of Citus.
-- Params:   the schema of the shard.
-- Returns:  the number to call lock_shard with; null if the shard is not on this node.
-- Locks:    an advisory lock of the shard, until the transaction ends, if views are created.
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
        -- Another session may have created them meanwhile.
        foreach change in array :api.missing_views(shard, views) loop
            execute change;
        end loop;
    end if;
    return shard_id;
end
$$;
