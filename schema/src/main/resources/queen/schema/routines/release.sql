create function :api.release(partition_ids uuid[], group_names text[], lease_ids uuid[])
returns table (index int)
language plpgsql volatile
as $$
-- Promise:  gives back each lease that is still live, as if it had never been given: nothing is counted against a message.
-- Params:   arrays of equal length, each (lane, group) once.
-- Returns:  the input position of each lease that was given back.
-- Locks:    queen.cursor rows, ascending by (partition_id, group_name).
-- Writes:   queen.cursor
#variable_conflict use_column
begin
    return query
    with locked as (
        select i.index, c.partition_id, c.group_name, i.lease_id as wanted_lease_id, c.lease_id, c.lease_until
        from unnest(partition_ids, group_names, lease_ids) with ordinality as i (partition_id, group_name, lease_id, index)
        join queen.cursor c on c.partition_id = any (array[i.partition_id]) and c.group_name = i.group_name
        order by i.partition_id, i.group_name
        for update of c
    )
    update queen.cursor c
    set lease_id = null,
        lease_until = null,
        lease_end = null
    from locked l
    where l.lease_id = l.wanted_lease_id
      and l.lease_until > clock_timestamp()
      and c.partition_id = any (array[l.partition_id])
      and c.group_name = l.group_name
    returning l.index::int;
end
$$;
