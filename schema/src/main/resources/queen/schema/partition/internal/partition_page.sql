create function :api.partition_page(queue_id uuid, after_name text, partitions_max bigint)
returns table (id uuid, name text)
language plpgsql stable
as $$
-- Promise:  returns the next partitions of a queue by name, found by their keys, which have no old versions.
-- Params:   the queue; after_name: the end of the previous page, '' at first; partitions_max.
-- Returns:  one row per partition.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    shard   text;
    page    record;
    ids     uuid[] := '{}';
    names   text[] := '{}';
begin
    if current_schema() = 'queen' then
        foreach shard in array :api.shards() loop
            perform :api.select_shard(shard);
            select coalesce(array_agg(p.id), '{}') as ids, coalesce(array_agg(p.name), '{}') as names
            into page
            from :api.partition_page(partition_page.queue_id, partition_page.after_name, partition_page.partitions_max) p;
            ids := ids || page.ids;
            names := names || page.names;
        end loop;
        perform :api.select_shard('queen');
        return query
        select p.id, p.name from unnest(ids, names) as p (id, name) order by p.name limit partition_page.partitions_max;
        return;
    end if;

    return query
    select k.id, k.name
    from partition_key k
    where k.queue_id = partition_page.queue_id
      and k.name > partition_page.after_name
    order by k.name
    limit partition_page.partitions_max;
end
$$;
