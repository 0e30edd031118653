create function :api.readers_of(partition_ids uuid[])
returns table (index int, group_name text, pending bigint)
language plpgsql stable
as $$
-- Promise:  returns the groups that read partitions: those with a cursor, and those subscribed to the queue that have not popped from the
--           partition yet.
-- Params:   partition_ids: the partitions.
-- Returns:  one row per partition and group; pending: the number of messages that the group has not finished.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    before  text := current_setting('search_path');
    part    record;
begin
    for part in select * from :api.shard_parts(partition_ids) loop
        perform :api.select_shard(part.shard);
        return query
        select i.index, u.group_name, u.pending
        from :api.partition_counts(array(select distinct partition_ids[l] from unnest(part.indexes) l), clock_timestamp()) c
        join unnest(part.indexes) as i (index) on partition_ids[i.index] = c.partition_id
        cross join lateral unnest(c.group_names, c.group_pendings) as u (group_name, pending);
    end loop;
    perform set_config('search_path', before, true);
end
$$;
