create function :api.ack(partition_ids uuid[], group_names text[], lease_ids uuid[], completed text[])
returns table (index int, is_live boolean, is_released boolean, committed bigint, acked text)
language plpgsql volatile
as $$
-- Promise:  finishes the completed messages of each lease that is still live; a dead lease changes nothing.
-- Params:   arrays of equal length, each (lane, group) once; completed: offsets as the text of an int8multirange.
-- Returns:  one row per existing cursor: whether the lease was live, whether it is over now, and where the cursor stands.
-- Locks:    queen.cursor rows, ascending by (partition_id, group_name).
-- Writes:   queen.cursor, queen.failure
#variable_conflict use_column
declare
    live_indexes    int[];
    live_partitions uuid[];
    live_groups     text[];
    live_completed  int8multirange[];
begin
    -- Two levels, so that the clock is read after the lock: a lease that ran out while we waited for the row is dead.
    with locked as (
        select i.index, i.partition_id, i.group_name, c.lease_id, c.lease_until, c.committed, c.lease_end,
               i.lease_id as wanted_lease_id, i.completed
        from (
            select i.*
            from unnest(partition_ids, group_names, lease_ids, completed)
                 with ordinality as i (partition_id, group_name, lease_id, completed, index)
            order by i.partition_id, i.group_name
        ) i
        cross join lateral (
            select c.lease_id, c.lease_until, c.committed, c.lease_end
            from queen.cursor c
            where c.partition_id = i.partition_id and c.group_name = i.group_name
            order by c.generation desc
            limit 1
            for update
        ) c
    )
    select array_agg(l.index::int), array_agg(l.partition_id), array_agg(l.group_name),
           array_agg(l.completed::int8multirange * int8multirange(int8range(l.committed, l.lease_end)))
    into live_indexes, live_partitions, live_groups, live_completed
    from locked l
    where l.lease_id = l.wanted_lease_id
      and l.lease_until > clock_timestamp();

    if live_indexes is not null then
        return query
        select a.index, true, a.is_released, a.committed, a.acked::text
        from :api.advance(
            live_indexes, live_partitions, live_groups, live_completed, array_fill(0, array[cardinality(live_indexes)])) a;
    end if;

    if coalesce(cardinality(live_indexes), 0) < cardinality(partition_ids) then
        return query
        select i.index::int, false, c.lease_id is null, c.committed, c.acked::text
        from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
        cross join lateral :api.cursor_of(i.partition_id, i.group_name) c
        where i.index <> all (coalesce(live_indexes, '{}'));
    end if;
end
$$;
