create function :api.is_here(shard_id bigint)
returns boolean
language plpgsql volatile
as $$
-- Promise:  returns whether this node of a Citus cluster, and no other, has a shard of Citus: a table of one of our shards.
-- Params:   shard_id: the number of the shard of Citus.
-- Returns:  true or false.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_variable
begin
    return coalesce((
        select count(*) = 1 and bool_and(p.groupid = (select g.groupid from pg_dist_local_group g))
        from pg_dist_placement p
        where p.shardid = shard_id), false);
end
$$;
