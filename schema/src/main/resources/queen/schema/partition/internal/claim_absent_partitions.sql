create function :api.claim_absent_partitions(partition_ids uuid[], queue_ids uuid[], names text[])
returns uuid[]
language plpgsql volatile
as $$
-- Promise:  whoever is told of a partition is the one to insert it, in the same transaction. Partitions that exist, of which the key alone is
--           there, or whose queue does not exist or is just being deleted are left out, and so are those that claim_free_partitions leaves out.
-- Params:   arrays of equal length, each partition once; a partition without a queue is left out.
-- Returns:  the partitions whose keys are new.
-- Locks:    queen.queue rows, for key share and never waiting, so that a partition cannot outlive its queue; then as claim_free_partitions.
-- Writes:   partition_key
#variable_conflict use_column
declare
    kept        uuid[];
    absent      uuid[];
    queues      uuid[];
    partitions  text[];
begin
    kept := :api.keep_queues(queue_ids);
    select array_agg(i.partition_id), array_agg(i.queue_id), array_agg(i.name)
    into absent, queues, partitions
    from unnest(partition_ids, queue_ids, names) as i (partition_id, queue_id, name)
    where i.queue_id = any (kept)
      and not exists (select 1 from partition_key k where k.id = i.partition_id offset 0);
    if absent is null then
        return '{}';
    end if;
    return :api.claim_free_partitions(absent, queues, partitions);
end
$$;
