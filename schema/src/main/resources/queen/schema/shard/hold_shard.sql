create function :api.hold_shard(shard text, shard_id bigint)
returns boolean
language plpgsql volatile
as $$
-- Promise:  until the transaction ends, this node holds the shard, and tables without a schema are the shard's tables themselves, through the views of
--           prepare_local. What is called then costs what it costs without Citus, which would plan every statement anew. Whoever moves the shard waits meanwhile.
-- Params:   the schema of the shard, and what prepare_local answered.
-- Returns:  true. QN007: the shard is somewhere else by now, and its tables here must not be touched.
-- Locks:    Citus's lock of where the shard is, shared, as Citus takes it for what goes through it.
-- Writes:   nothing
begin
    -- 5 is a share lock. Who moves the shard takes it exclusively on all nodes, before what was written last is copied.
    perform lock_shard_metadata(5, array[shard_id]);
    -- In a statement of its own, which sees what was committed while the lock was waited for.
    if not :api.is_here(shard_id) then
        raise exception 'the shard was moved to another node' using errcode = 'QN007';
    end if;
    perform set_config('search_path', format('%I, %I, queen, pg_temp', shard || '_local', shard), true),
            set_config('plan_cache_mode', 'force_generic_plan', true),
            set_config('citus.enable_manual_changes_to_shards', 'on', true);
    return true;
end
$$;
