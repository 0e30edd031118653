create function :api.insert_partitions(partition_ids uuid[], queue_ids uuid[], names text[])
returns boolean
language plpgsql volatile
as $$
-- Promise:  creates partitions, without messages, if their queue exists. A partition whose key exists is not changed.
-- Params:   arrays of equal length, each partition once.
-- Returns:  whether any of them is new.
-- Locks:    queen.queue rows, ascending by id, for key share, so that no partition is added to a queue that is being deleted; then the new
--           partition_key and partition rows, ascending by id; waits for a transaction that is inserting the same key.
-- Writes:   partition, partition_key
#variable_conflict use_column
declare
    partitions  uuid[];
    queues      uuid[];
    called      text[];
    claimed     uuid[];
begin
    -- On Citus the catalog would be locked on every node: see lock_queues.
    if to_regclass('pg_catalog.pg_dist_schema') is null then
        perform from queen.queue q where q.id = any (queue_ids) order by q.id for key share;
    end if;
    select array_agg(i.partition_id), array_agg(i.queue_id), array_agg(i.name)
    into partitions, queues, called
    from unnest(partition_ids, queue_ids, names) as i (partition_id, queue_id, name)
    where exists (select 1 from queue q where q.id = i.queue_id offset 0);
    claimed := :api.claim_partitions(partitions, queues, called);
    perform :api.insert_claimed(claimed, partitions, queues, called);
    return claimed <> '{}';
end
$$;
