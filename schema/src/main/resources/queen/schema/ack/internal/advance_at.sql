create function :api.advance_at(
    indexes int[], places tid[], committed_befores bigint[], acked_befores int8multirange[], lease_ends bigint[], failing boolean[],
    partition_ids uuid[], group_names text[], finished int8multirange[], dead_counts int[], skipped_counts int[] default null)
returns table (index int, committed bigint, acked int8multirange, is_released boolean)
language plpgsql volatile
as $$
-- Promise:  does what advance does, for cursors that the caller has read under the lock.
-- Params:   as in advance; places, committed_befores, acked_befores, lease_ends, failing: ctid, committed, acked, lease_end and is_failing
--           of each cursor.
-- Returns:  one row per element.
-- Locks:    none of its own.
-- Writes:   cursor, failure
#variable_conflict use_column
declare
    at          timestamptz := clock_timestamp();
    reached     bigint[];
    done        int8multirange[];
    left_over   int8multirange[];
    completed   bigint[];
    released    boolean[];
    advanced    bigint;
begin
    select array_agg(m.committed), array_agg(m.done),
           array_agg(nullif(m.done - int8multirange(int8range(null, m.committed)), '{}'::int8multirange)),
           array_agg(case
               when m.acked_before is null and m.done <@ int8range(m.was, m.committed) then m.committed - m.was
               else coalesce((select sum(upper(r) - lower(r)) from unnest(m.done) r), 0)
                  - coalesce((select sum(upper(r) - lower(r)) from unnest(m.acked_before) r), 0) end
               - m.dead_count - coalesce(m.skipped_count, 0)),
           array_agg((m.committed < m.lease_end) is not true)
    into reached, done, left_over, completed, released
    from (
        select i.*, d.done, coalesce((select upper(r) from unnest(d.done) r where r @> i.was), i.was) as committed
        from unnest(committed_befores, acked_befores, lease_ends, finished, dead_counts, skipped_counts)
             with ordinality as i (was, acked_before, lease_end, finished, dead_count, skipped_count, place)
        cross join lateral (
            select coalesce(i.acked_before, '{}') + (coalesce(i.finished, '{}') - int8multirange(int8range(null, i.was))) as done offset 0
        ) d
        -- Prevents repeated computation.
        offset 0
    ) m;

    update cursor c
    set committed = m.committed,
        acked = m.acked,
        lease_id = case when not m.is_released then c.lease_id end,
        lease_until = case when not m.is_released then c.lease_until end,
        lease_end = case when not m.is_released then c.lease_end end,
        is_failing = c.is_failing and exists (
            select 1 from failure x
            where x.partition_id = c.partition_id
              and x.group_name = c.group_name
              and x.message_offset + x.message_count > m.committed
              and not m.done @> int8range(x.message_offset, x.message_offset + x.message_count)),
        retry_at = case when c.is_failing then (
            select case when x.message_offset + x.message_count > m.committed then x.retry_at end
            from failure x
            where x.partition_id = c.partition_id and x.group_name = c.group_name and x.message_offset <= m.committed
            order by x.message_offset desc
            limit 1) end,
        completed_count = c.completed_count + m.completed,
        dead_count = c.dead_count + m.dead,
        last_ack_at = at,
        :written(c)
    from unnest(places, partition_ids, group_names, committed_befores, reached, done, left_over, completed, dead_counts, released)
         as m (tid, partition_id, group_name, was, committed, done, acked, completed, dead, is_released)
    -- If Citus has moved the shard meanwhile, another row may have this ctid.
    where c.ctid = m.tid
      and (c.partition_id = m.partition_id and c.group_name = m.group_name and c.committed = m.was) is true;
    get diagnostics advanced = row_count;
    if advanced < cardinality(places) then
        raise exception 'an argument names a cursor twice, or its shard was moved during the call' using errcode = '40001';
    end if;

    if true = any (failing) then
        delete from failure x
        using unnest(partition_ids, group_names, reached, done, failing) as m (partition_id, group_name, committed, done, is_failing)
        where m.is_failing
          and x.partition_id = any (array[m.partition_id])
          and x.group_name = m.group_name
          and (x.message_offset + x.message_count <= m.committed or m.done @> int8range(x.message_offset, x.message_offset + x.message_count));
    end if;

    return query
    select m.index, m.committed, m.acked, m.is_released
    from unnest(indexes, reached, left_over, released) as m (index, committed, acked, is_released);
end
$$;
