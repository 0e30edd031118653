create function :api.reading_mode(partition_ids uuid[])
returns json
language plpgsql stable
as $$
-- Promise:  returns whether partitions are read without a group (queue mode), by groups (bus), or both.
-- Params:   partition_ids: the partitions.
-- Returns:  {hasQueueMode, busGroupsCount, type}, type being queue, bus, hybrid or none.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    before          text := current_setting('search_path');
    part            record;
    groups          text[] := '{}';
    readers         int;
    is_queue_mode   boolean;
begin
    for part in select * from :api.shard_parts(partition_ids) loop
        perform :api.select_shard(part.shard);
        groups := groups || array(
            select distinct k.group_name from cursor_key k
            where k.partition_id = any (array(select partition_ids[i] from unnest(part.indexes) i)));
    end loop;
    perform set_config('search_path', before, true);
    is_queue_mode := '__QUEUE_MODE__' = any (groups);
    readers := (select count(distinct g) from unnest(groups) g where g <> '__QUEUE_MODE__');
    return json_build_object('hasQueueMode', is_queue_mode, 'busGroupsCount', readers, 'type',
        case when is_queue_mode and readers > 0 then 'hybrid' when is_queue_mode then 'queue' when readers > 0 then 'bus' else 'none' end);
end
$$;
