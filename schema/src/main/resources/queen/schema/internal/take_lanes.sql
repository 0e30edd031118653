create function :api.take_lanes(partition_ids uuid[])
returns uuid[]
language plpgsql volatile
as $$
-- Promise:  nobody pushes to these lanes or comes to them anew until the transaction ends.
-- Params:   the lanes.
-- Returns:  those that exist and that nobody else is working on at this moment, ascending.
-- Locks:    partition rows, for update, ascending by id, then lane_key of each, never waiting.
-- Writes:   nothing
#variable_conflict use_column
declare
    free uuid[];
begin
    free := array(
        select p.id
        from unnest(partition_ids) as i (partition_id)
        join partition p on p.id = any (array[i.partition_id])
        order by i.partition_id
        for update of p skip locked);
    return array(
        select f.id
        from unnest(free) with ordinality as f (id, index)
        where pg_try_advisory_xact_lock(:api.lane_key(f.id))
        order by f.index);
end
$$;
