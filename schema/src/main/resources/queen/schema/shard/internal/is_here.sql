create function :api.is_here(shard_id bigint)
returns boolean
language plpgsql volatile
as $$
-- Promise:  says whether this node of a Citus cluster, and no other, holds what Citus calls a shard: a table of one of ours.
-- Params:   its number.
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
