create function :api.shard_parts(ids uuid[])
returns table (shard text, indexes int[])
language plpgsql stable
as $$
-- Promise:  groups partitions by their shards. If a shard is selected, all partitions must be in it.
-- Params:   ids: partitions, or leases.
-- Returns:  one row per shard with any of them, in the order of shards(), with their positions, ascending.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    if current_schema() <> 'queen' then
        return query select current_schema()::text, array(select generate_subscripts(ids, 1)) where cardinality(ids) > 0;
        return;
    end if;
    return query
    select s.name, array_agg(i.index::int order by i.index)
    from unnest(ids) with ordinality as i (id, index)
    join queen.shard s on s.number = any (array[get_byte(uuid_send(i.id), 0) % (select count(*)::int from queen.shard)])
    group by s.number, s.name
    order by s.number;
end
$$;
