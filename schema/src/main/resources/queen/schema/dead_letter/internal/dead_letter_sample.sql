create function :api.dead_letter_sample(queue_ids uuid[])
returns table (partition_id uuid, error text)
language plpgsql stable
as $$
-- Promise:  returns at most 1,000 dead letters, as a sample of errors.
-- Params:   queue_ids: null for all queues.
-- Returns:  the partition and the error of each.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    if queue_ids is null then
        return query select d.partition_id, d.error from dead_letter d limit 1000;
    else
        return query
        select d.partition_id, d.error
        from unnest(queue_ids) q (id)
        join dead_letter d on d.queue_id = any (array[q.id])
        limit 1000;
    end if;
end
$$;
