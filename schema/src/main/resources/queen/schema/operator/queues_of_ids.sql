create function :api.queues_of_ids(
    partition_ids uuid[], lease_ids uuid[], query_ids uuid[], query_names text[], redrive_ids uuid[])
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns the queues of ids that a request contains, so that rights per queue are checked before the request takes effect.
-- Params:   partitions; leases, live or not; stream queries by id and by name; redrives.
-- Returns:  {partitions: [{id, queueId, queue, namespace}], leases: [{id, queue, namespace}], queries: [{id, name, sourceQueue,
--           sinkQueue}], redrives: [{id, queue, targetQueue}]}; objects that do not exist are left out; queue is null for all queues.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    part        record;
    here        json;
    partitions  json[] := '{}';
    leases      json[] := '{}';
begin
    for part in select * from :api.shard_parts(partition_ids) loop
        perform :api.select_shard(part.shard);
        select json_agg(json_build_object('id', p.id, 'queueId', q.id, 'queue', q.name, 'namespace', q.namespace))
        into here
        from unnest(part.indexes) as i (index)
        cross join lateral :newest_partition(partition_ids[i.index]) p
        join queen.queue q on q.id = any (array[p.queue_id]);
        partitions := partitions || array(select json_array_elements(here));
    end loop;
    for part in select * from :api.shard_parts(lease_ids) loop
        perform :api.select_shard(part.shard);
        select json_agg(json_build_object('id', l.lease_id, 'queue', l.name, 'namespace', l.namespace))
        into here
        from (
            select distinct o.lease_id, q.name, q.namespace
            from :api.partitions_of(array(select lease_ids[i.index] from unnest(part.indexes) as i (index))) o
            cross join lateral :newest_partition(o.partition_id) p
            join queen.queue q on q.id = any (array[p.queue_id])
        ) l;
        leases := leases || array(select json_array_elements(here));
    end loop;
    return json_build_object(
        'partitions', array_to_json(partitions),
        'leases', array_to_json(leases),
        'queries', coalesce((
            select json_agg(json_build_object('id', s.id, 'name', s.name, 'sourceQueue', s.source_queue, 'sinkQueue', s.sink_queue))
            from queen.stream_query s
            where s.id = any (query_ids) or s.name = any (query_names)), '[]'),
        'redrives', coalesce((
            select json_agg(json_build_object('id', r.id, 'queue', r.queue_name, 'targetQueue', r.target_queue))
            from queen.redrive r
            where r.id = any (redrive_ids)), '[]'))::text;
end
$$;
