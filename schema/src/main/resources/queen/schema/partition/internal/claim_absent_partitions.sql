create function :api.claim_absent_partitions(partition_ids uuid[], queue_ids uuid[], names text[])
returns uuid[]
language plpgsql volatile
as $$
-- Promise:  inserts the keys of partitions that do not exist, so that the caller inserts these partitions in the same transaction. Left out
--           are existing partitions, partitions with only a key, partitions whose queue does not exist or is being deleted, and those that
--           claim_free_partitions leaves out.
-- Params:   arrays of equal length, each partition once; a partition without a queue is left out.
-- Returns:  the partitions with new keys; the caller must insert them.
-- Locks:    queen.queue rows, for key share and never waiting, so that a partition cannot outlive its queue; then what
--           claim_free_partitions locks.
-- Writes:   partition_key
#variable_conflict use_column
declare
    kept        uuid[];
    absent      uuid[];
    queues      uuid[];
    partitions  text[];
begin
    kept := :api.lock_queues(queue_ids);
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
