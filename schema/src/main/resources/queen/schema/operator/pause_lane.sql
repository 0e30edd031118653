create function :api.pause_lane(actor text, partition_id uuid, is_paused boolean)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  from now on nothing of the lane is handed out, or it is again; leases that were given stay. Pushes go on.
-- Params:   the lane; whether it is to be paused.
-- Returns:  {success, queue, partition, partitionId, paused}; null when there is no such lane.
-- Locks:    the partition row; queen.catalog.
-- Writes:   partition, queen.revised_lane, queen.catalog, queen.audit
#variable_conflict use_column
declare
    lane record;
begin
    perform :api.enter(:api.shard_of(pause_lane.partition_id));
    select p.id, p.name, p.is_paused, q.name as queue
    into lane
    from partition p
    join queen.queue q on q.id = p.queue_id
    where p.id = pause_lane.partition_id
    for no key update of p;
    if not found then
        return null;
    end if;

    update partition p set is_paused = pause_lane.is_paused where p.id = lane.id;
    perform :api.lane_revised(lane.id);
    perform :api.audit(actor, case when pause_lane.is_paused then 'pause' else 'resume' end,
                       format('lane %s of queue %s', lane.name, lane.queue),
                       jsonb_build_object('paused', lane.is_paused), jsonb_build_object('paused', pause_lane.is_paused));
    return json_build_object('success', true, 'queue', lane.queue, 'partition', lane.name, 'partitionId', lane.id,
        'paused', pause_lane.is_paused)::text;
end
$$;
