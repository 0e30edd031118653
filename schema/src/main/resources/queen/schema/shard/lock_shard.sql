create function :api.lock_shard(shard text, shard_id bigint)
returns boolean
language plpgsql volatile
as $$
-- Promise:  keeps the shard on this node until the transaction ends, and makes table names without a schema mean the tables of the shard
--           itself, through the views of prepare_local. Calls then cost what they cost without Citus, which would plan every statement
--           again. A move of the shard waits meanwhile.
-- Params:   the schema of the shard, and the result of prepare_local.
-- Returns:  true. QN007: the shard has moved, and its tables on this node must not be used.
-- Locks:    the lock of Citus for the placement of the shard, shared, as Citus locks it for its own statements.
-- Writes:   nothing
begin
    -- 5 is a share lock. A move of the shard locks exclusively on all nodes, before it copies the last changes.
    perform lock_shard_metadata(5, array[shard_id]);
    -- A separate statement sees commits made during the wait for the lock.
    if not :api.is_here(shard_id) then
        raise exception 'the shard was moved to another node' using errcode = 'QN007';
    end if;
    perform set_config('search_path', format('%I, %I, queen, pg_temp', shard || '_local', shard), true),
            set_config('plan_cache_mode', 'force_generic_plan', true),
            set_config('citus.enable_manual_changes_to_shards', 'on', true);
    return true;
end
$$;
