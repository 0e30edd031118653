create function :api.has_pending(
    queue_ids uuid[], partition_ids uuid[], group_names text[], look_back_seconds int[])
returns table (index int)
language plpgsql stable
as $$
-- Promise:  returns whether a pop would probably find messages: in one partition (partition_id given), or in the partitions of a queue with
--           recent pushes. Paused partitions do not count.
-- Params:   arrays of equal length.
-- Returns:  the input position of each request that would find messages.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    -- A variable, because PostgreSQL does not use an index for the result of a volatile function.
    at timestamptz := clock_timestamp();
begin
    return query
    select i.index::int
    from unnest(queue_ids, partition_ids, group_names, look_back_seconds)
         with ordinality as i (queue_id, partition_id, group_name, look_back_s, index)
    where exists (
        select 1
        from :newest_partition(i.partition_id) p
        left join lateral :newest_cursor(p.id, i.group_name) c on true
        where greatest(coalesce(c.committed, p.tail), p.tail) < p.head
          and not p.is_paused
          and (c.lease_id is null or c.lease_until <= at)
          and (c.retry_at is null or c.retry_at <= at)
    ) or i.partition_id is null and exists (
        select 1
        from (
            -- Recent pushes are the most likely to be unread.
            select p.id, p.head, p.tail, p.is_paused
            from partition p
            where p.queue_id = i.queue_id
              -- active_at lags behind the last push by up to ten seconds.
              and p.active_at >= at - make_interval(secs => i.look_back_s + 10)
            order by p.active_at desc
            offset 0
        ) p
        left join lateral :newest_cursor(p.id, i.group_name) c on true
        where greatest(coalesce(c.committed, p.tail), p.tail) < p.head
          and not p.is_paused
          and (c.lease_id is null or c.lease_until <= at)
          and (c.retry_at is null or c.retry_at <= at)
    );
end
$$;
