create function :api.note_lanes(lanes uuid[], holders uuid[])
returns void
language plpgsql volatile
as $$
-- Promise:  the lanes of each lease id are found by it. One that covers a single lane begins like the id of that lane; only what cannot be
--           found that way is written down.
-- Params:   arrays of equal length: lanes that were given, and to which lease id; a lane without one was not.
-- Returns:  nothing.
-- Locks:    the lease_lanes rows.
-- Writes:   lease_lanes
#variable_conflict use_column
declare
    lane    record;
begin
    for lane in
        select d.lease_id, array_agg(d.partition_id) as covered
        from unnest(lanes, holders) as d (partition_id, lease_id)
        where d.lease_id is not null
        group by d.lease_id
        having count(*) > 1 or min(left(d.partition_id::text, 13)) <> left(d.lease_id::text, 13)
    loop
        insert into lease_lanes (lease_id, partition_ids)
        values (lane.lease_id, lane.covered)
        on conflict (lease_id) do update set partition_ids = lease_lanes.partition_ids || excluded.partition_ids;
    end loop;
end
$$;
