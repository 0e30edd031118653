create function :api.shard_places()
returns table (number int, name text, host text, port int)
language plpgsql stable
as $$
-- Promise:  returns the present location of each shard.
-- Params:   none.
-- Returns:  one row per shard, ascending; host and port of its node, null if it is in this database.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    -- The tables of Citus exist only with Citus, so the query is dynamic.
    if to_regclass('pg_catalog.pg_dist_schema') is null then
        return query
        select s.number, s.name, null::text, null::int from queen.shard s order by s.number;
        return;
    end if;
    return query execute $places$
        select s.number, s.name, n.nodename::text, n.nodeport
        from queen.shard s
        left join pg_dist_shard d on d.logicalrelid = to_regclass(format('%I.partition', s.name))
                                 and exists (select 1 from pg_dist_schema h where h.schemaid = to_regnamespace(s.name))
        left join pg_dist_placement p on p.shardid = d.shardid
        left join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
        order by s.number
    $places$;
end
$$;
