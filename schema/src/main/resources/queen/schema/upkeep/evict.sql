create function :api.evict(partition_ids uuid[], group_names text[])
returns table (index int)
language plpgsql volatile
as $$
-- Promise:  evicts the first unread messages of each group that waited longer than their queue allows.
-- Params:   arrays of equal length, each (partition, group) once.
-- Returns:  the input position of each cursor with more of them than one call evicts.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor, failure, dead_letter, retention_minute
#variable_conflict use_column
declare
    gone record;
begin
    select array_agg(e.index) filter (where e.is_more) as left_over, array_agg(e.queue_id) as queues, array_agg(e.evicted) as counts
    into gone
    from :api.evict_cursors(partition_ids, group_names, 1000) e;
    if gone.queues is not null then
        insert into retention_minute as m (at, queue_id, eviction)
        select date_trunc('minute', clock_timestamp()), n.queue_id, sum(n.count)
        from unnest(gone.queues, gone.counts) as n (queue_id, count)
        where n.count > 0
        group by n.queue_id
        order by n.queue_id
        on conflict (at, queue_id) do update set eviction = m.eviction + excluded.eviction;
    end if;
    return query select l.index from unnest(gone.left_over) as l (index);
end
$$;
