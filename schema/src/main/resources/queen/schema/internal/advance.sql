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
begin
    return query
    with merged as (
        select i.index, i.dead_count, i.skipped_count, i.partition_id, i.group_name, c.tid, c.committed as was, c.acked as acked_before, c.is_failing,
               coalesce(c.acked, '{}') + (coalesce(i.finished, '{}') - int8multirange(int8range(null, c.committed))) as done
        from unnest(indexes, partition_ids, group_names, finished, dead_counts, skipped_counts)
             as i (index, partition_id, group_name, finished, dead_count, skipped_count)
        cross join lateral (
            select v.ctid as tid, v.* from cursor v
            where v.partition_id = i.partition_id and v.group_name = i.group_name
            order by v.generation desc limit 1
        ) c
    ), reached as (
        select m.*, coalesce((select upper(r) from unnest(m.done) r where r @> m.was), m.was) as committed
        from merged m
    ), forgotten as (
        delete from failure x
        using reached m
        where m.is_failing
          and x.partition_id = any (array[m.partition_id])
          and x.group_name = m.group_name
          and (x.message_offset + x.message_count <= m.committed or m.done @> int8range(x.message_offset, x.message_offset + x.message_count))
    )
    update cursor c
    set committed = m.committed,
        acked = nullif(m.done - int8multirange(int8range(null, m.committed)), '{}'::int8multirange),
        lease_id = case when m.committed < c.lease_end then c.lease_id end,
        lease_until = case when m.committed < c.lease_end then c.lease_until end,
        lease_end = case when m.committed < c.lease_end then c.lease_end end,
        is_failing = c.is_failing and exists (
            select from failure x
            where x.partition_id = m.partition_id
              and x.group_name = m.group_name
              and x.message_offset + x.message_count > m.committed
              and not m.done @> int8range(x.message_offset, x.message_offset + x.message_count)),
        retry_at = case when c.is_failing then (
            select x.retry_at from :api.failure_of(m.partition_id, m.group_name, m.committed) x) end,
        completed_count = c.completed_count - m.dead_count - coalesce(m.skipped_count, 0) + case
            when m.acked_before is null and m.done <@ int8range(m.was, m.committed) then m.committed - m.was
            else coalesce((select sum(upper(r) - lower(r)) from unnest(m.done) r), 0)
               - coalesce((select sum(upper(r) - lower(r)) from unnest(m.acked_before) r), 0) end,
        dead_count = c.dead_count + m.dead_count,
        last_ack_at = clock_timestamp(),
        :written(c)
    from reached m
    where c.ctid = m.tid
    returning m.index, c.committed, c.acked, c.lease_id is null;
end
$$;
