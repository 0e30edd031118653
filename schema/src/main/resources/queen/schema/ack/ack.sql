create function :api.ack(partition_ids uuid[], group_names text[], lease_ids uuid[], completed text[])
returns table (index int, is_live boolean, is_released boolean, committed bigint, acked text, is_busy boolean)
language plpgsql volatile
as $$
-- Promise:  finishes the completed messages of each live lease. A lease that is not live and a cursor that another transaction has locked
--           are not changed; for a locked cursor the caller repeats the call.
-- Params:   arrays of equal length, each (partition, group) once; completed: offsets as the text of an int8multirange.
-- Returns:  one row per existing cursor: whether the lease was live, whether it has ended, and the position of the cursor. is_busy: another
--           transaction has locked the cursor; the other columns must not be used then.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor, failure
#variable_conflict use_column
declare
    seen                bigint[];
    live_indexes        int[];
    live_partitions     uuid[];
    live_groups         text[];
    live_completed      int8multirange[];
    places              tid[];
    committed_befores   bigint[];
    acked_befores       int8multirange[];
    lease_ends          bigint[];
    failing             boolean[];
    is_all_whole        boolean;
    advanced            bigint;
    at                  timestamptz;
begin
    -- Two steps, so that the clock is read after the lock.
    with locked as (
        select i.index, i.partition_id, i.group_name, c.lease_id, c.lease_until, c.committed, c.lease_end, c.acked, c.is_failing, c.tid,
               i.lease_id as requested_lease_id, i.completed
        from (
            select i.*
            from unnest(partition_ids, group_names, lease_ids, completed)
                 with ordinality as i (partition_id, group_name, lease_id, completed, index)
            order by i.partition_id, i.group_name
        ) i
        cross join lateral (
            select c.ctid as tid, c.lease_id, c.lease_until, c.committed, c.lease_end, c.acked, c.is_failing
            from cursor c
            where c.partition_id = i.partition_id and c.group_name = i.group_name
            order by c.generation desc
            limit 1
            for update skip locked
        ) c
    ), judged as (
        select l.*, l.lease_id = l.requested_lease_id and l.lease_until > clock_timestamp() as is_live
        from locked l
    )
    select array_agg(j.index), array_agg(j.index::int) filter (where j.is_live),
           array_agg(j.partition_id) filter (where j.is_live), array_agg(j.group_name) filter (where j.is_live),
           array_agg(j.completed::int8multirange * int8multirange(int8range(j.committed, j.lease_end))) filter (where j.is_live),
           array_agg(j.tid) filter (where j.is_live), array_agg(j.committed) filter (where j.is_live),
           array_agg(j.acked) filter (where j.is_live), array_agg(j.lease_end) filter (where j.is_live),
           array_agg(j.is_failing) filter (where j.is_live),
           bool_and(j.acked is null and not j.is_failing and j.completed::int8multirange @> int8range(j.committed, j.lease_end))
               filter (where j.is_live)
    into seen, live_indexes, live_partitions, live_groups, live_completed, places, committed_befores, acked_befores, lease_ends, failing, is_all_whole
    from judged j;

    if is_all_whole then
        -- Fast path: most leases are finished as a whole, and no ranges have to be computed.
        at := clock_timestamp();
        update cursor c
        set committed = m."end",
            lease_id = null,
            lease_until = null,
            lease_end = null,
            retry_at = null,
            completed_count = c.completed_count + m."end" - m.was,
            last_ack_at = at,
            :written(c)
        from unnest(places, live_partitions, live_groups, committed_befores, lease_ends) as m (tid, partition_id, group_name, was, "end")
        -- If Citus has moved the shard meanwhile, another row may have this ctid.
        where c.ctid = m.tid
          and (c.partition_id = m.partition_id and c.group_name = m.group_name and c.committed = m.was) is true;
        get diagnostics advanced = row_count;
        if advanced < cardinality(places) then
            raise exception 'an argument names a cursor twice, or its shard was moved during the call' using errcode = '40001';
        end if;
        return query
        select m.index, true, true, m."end", null::text, false
        from unnest(live_indexes, lease_ends) as m (index, "end");
    elsif live_indexes is not null then
        return query
        select a.index, true, a.is_released, a.committed, a.acked::text, false
        from :api.advance_at(
            live_indexes, places, committed_befores, acked_befores, lease_ends, failing, live_partitions, live_groups, live_completed,
            array_fill(0, array[cardinality(live_indexes)])) a;
    end if;

    if coalesce(cardinality(live_indexes), 0) < cardinality(partition_ids) then
        return query
        select i.index::int, false, c.lease_id is null, c.committed, c.acked::text, i.index <> all (coalesce(seen, '{}'))
        from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
        cross join lateral :newest_cursor(i.partition_id, i.group_name) c
        where i.index <> all (coalesce(live_indexes, '{}'));
    end if;
end
$$;
