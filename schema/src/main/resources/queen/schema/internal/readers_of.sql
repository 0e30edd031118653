create function :api.readers_of(partition_ids uuid[])
returns table (index int, group_name text, pending bigint)
language plpgsql stable
as $$
-- Promise:  who reads lanes: the groups that have a cursor there, and those that are subscribed to the queue and have not come yet.
-- Params:   the lanes.
-- Returns:  one row per lane and group: how many messages the group has not finished.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select i.index::int, u.group_name, u.pending
    from :api.lane_counts(array(select distinct l.id from unnest(partition_ids) as l (id)), clock_timestamp()) c
    join unnest(partition_ids) with ordinality as i (partition_id, index) on i.partition_id = c.partition_id
    cross join lateral unnest(c.group_names, c.group_pendings) as u (group_name, pending);
end
$$;
