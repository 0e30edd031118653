create function :api.pause_partition(actor text, partition_id uuid, is_paused boolean)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  pauses the delivery of the partition, or resumes it; existing leases stay. Pushes are not affected.
-- Params:   actor; the partition; is_paused: the new state.
-- Returns:  {success, queue, partition, partitionId, paused}; null if the partition does not exist.
-- Locks:    the partition row; queen.catalog.
-- Writes:   partition, queen.revised_partition, queen.catalog, queen.audit
#variable_conflict use_column
declare
    partition_row record;
begin
    perform :api.select_shard(:api.shard_of(pause_partition.partition_id));
    select p.id, p.name, p.is_paused, q.name as queue
    into partition_row
    from partition p
    join queen.queue q on q.id = p.queue_id
    where p.id = pause_partition.partition_id
    for no key update of p;
    if not found then
        return null;
    end if;

    update partition p set is_paused = pause_partition.is_paused where p.id = partition_row.id;
    perform :api.partition_revised(partition_row.id);
    perform :api.audit(actor, case when pause_partition.is_paused then 'pause' else 'resume' end,
                       format('partition %s of queue %s', partition_row.name, partition_row.queue),
                       jsonb_build_object('paused', partition_row.is_paused), jsonb_build_object('paused', pause_partition.is_paused));
    return json_build_object('success', true, 'queue', partition_row.queue, 'partition', partition_row.name, 'partitionId', partition_row.id,
        'paused', pause_partition.is_paused)::text;
end
$$;
