create function :api.evict(partition_ids uuid[], group_names text[])
returns table (index int)
language plpgsql volatile
as $$
-- Promise:  nothing that waited longer than its queue allows stands first in the group's way any more.
-- Params:   arrays of equal length, each (lane, group) once.
-- Returns:  the input position of each cursor of which that is not true yet, because there is more than one call takes.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor, failure, dead_letter, retention_minute
#variable_conflict use_column
begin
    return query
    with evicted as (
        select e.index, e.queue_id, e.evicted, e.is_more
        from :api.evict_cursors(partition_ids, group_names, 1000) e
    ), noted as (
        insert into retention_minute as m (at, queue_id, eviction)
        select date_trunc('minute', clock_timestamp()), e.queue_id, sum(e.evicted)
        from evicted e
        where e.evicted > 0
        group by e.queue_id
        order by e.queue_id
        on conflict (at, queue_id) do update set eviction = m.eviction + excluded.eviction
    )
    select e.index
    from evicted e
    where e.is_more;
end
$$;
