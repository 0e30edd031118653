create function :api.advance(
    indexes int[], partition_ids uuid[], group_names text[], finished int8multirange[], dead_counts int[],
    skipped_counts int[] default null)
returns table (index int, committed bigint, acked int8multirange, is_released boolean)
language plpgsql volatile
as $$
-- Promise:  marks offsets as finished: committed moves over the longest finished prefix and never back; the lease ends
--           when its whole range is finished. What is known of failed attempts of finished messages is forgotten.
-- Params:   arrays of equal length, each (lane, group) once; the caller holds the cursors' row locks. dead_counts and
--           skipped_counts: how many of the finished messages were buried, or passed over by an operator's word.
-- Returns:  one row per element.
-- Locks:    none of its own.
-- Writes:   cursor, failure
#variable_conflict use_column
declare
    at          timestamptz := clock_timestamp();
    answered    int[];
    places      tid[];
    reached     bigint[];
    done        int8multirange[];
    left_over   int8multirange[];
    completed   bigint[];
    dead        int[];
    released    boolean[];
    lanes       uuid[];
    groups      text[];
    failing     boolean[];
begin
    with merged as (
        select i.index, i.partition_id, i.group_name, i.dead_count, i.skipped_count, c.tid, c.committed as was, c.acked as acked_before, c.is_failing, c.lease_end,
               coalesce(c.acked, '{}') + (coalesce(i.finished, '{}') - int8multirange(int8range(null, c.committed))) as done
        from unnest(indexes, partition_ids, group_names, finished, dead_counts, skipped_counts)
             as i (index, partition_id, group_name, finished, dead_count, skipped_count)
        cross join lateral (
            select v.ctid as tid, v.committed, v.acked, v.is_failing, v.lease_end from cursor v
            where v.partition_id = i.partition_id and v.group_name = i.group_name
            order by v.generation desc limit 1
        ) c
    ), moved as (
        select m.*, coalesce((select upper(r) from unnest(m.done) r where r @> m.was), m.was) as committed
        from merged m
    )
    select array_agg(m.index), array_agg(m.tid), array_agg(m.committed), array_agg(m.done),
           array_agg(nullif(m.done - int8multirange(int8range(null, m.committed)), '{}'::int8multirange)),
           array_agg(case
               when m.acked_before is null and m.done <@ int8range(m.was, m.committed) then m.committed - m.was
               else coalesce((select sum(upper(r) - lower(r)) from unnest(m.done) r), 0)
                  - coalesce((select sum(upper(r) - lower(r)) from unnest(m.acked_before) r), 0) end - m.dead_count - coalesce(m.skipped_count, 0)),
           array_agg(m.dead_count), array_agg((m.committed < m.lease_end) is not true), array_agg(m.partition_id), array_agg(m.group_name), array_agg(m.is_failing)
    into answered, places, reached, done, left_over, completed, dead, released, lanes, groups, failing
    from moved m;

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
    from unnest(places, reached, done, left_over, completed, dead, released)
         as m (tid, committed, done, acked, completed, dead, is_released)
    where c.ctid = m.tid;

    if true = any (failing) then
        delete from failure x
        using unnest(lanes, groups, reached, done, failing) as m (partition_id, group_name, committed, done, is_failing)
        where m.is_failing
          and x.partition_id = any (array[m.partition_id])
          and x.group_name = m.group_name
          and (x.message_offset + x.message_count <= m.committed or m.done @> int8range(x.message_offset, x.message_offset + x.message_count));
    end if;

    return query
    select m.index, m.committed, m.acked, m.is_released
    from unnest(answered, reached, left_over, released) as m (index, committed, acked, is_released);
end
$$;
