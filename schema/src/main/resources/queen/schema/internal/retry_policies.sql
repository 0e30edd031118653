create function :api.retry_policies(partition_ids uuid[])
returns table (partition_id uuid, retry_limit int, retry_delay_ms int, retry_backoff double precision)
language plpgsql stable
as $$
-- Promise:  what the queues of these lanes say about messages that fail.
-- Params:   the lanes, any number of times.
-- Returns:  one row per existing lane.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select i.partition_id, q.retry_limit, q.retry_delay_ms, q.retry_backoff
    from (select distinct i.partition_id from unnest(retry_policies.partition_ids) as i (partition_id)) i
    cross join lateral (select v.* from partition v where v.id = i.partition_id order by v.generation desc limit 1) p
    join queen.queue q on q.id = any (array[p.queue_id]);
end
$$;
