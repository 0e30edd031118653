create function :api.reading_mode(partition_ids uuid[])
returns json
language plpgsql stable
as $$
-- Promise:  who reads these lanes: those without a group, groups, or both.
-- Params:   the lanes.
-- Returns:  {hasQueueMode, busGroupsCount, type}, type being queue, bus, hybrid or none.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select json_build_object('hasQueueMode', m.has_queue_mode, 'busGroupsCount', m.groups, 'type',
                   case when m.has_queue_mode and m.groups > 0 then 'hybrid' when m.has_queue_mode then 'queue'
                        when m.groups > 0 then 'bus' else 'none' end)
        from (
            select coalesce(bool_or(c.group_name = '__QUEUE_MODE__'), false) as has_queue_mode,
                   count(distinct c.group_name) filter (where c.group_name <> '__QUEUE_MODE__') as groups
            from cursor c
            where c.partition_id = any (partition_ids)
        ) m);
end
$$;
