create function :api.resolve(queue_id uuid, group_name text, look_back_s int, after_name text, page int)
returns table (partition_id uuid, name text, is_pending boolean, until_ms bigint)
language plpgsql stable
as $$
-- Promise:  returns the partitions of a queue with unread messages of the group, leased or not, without paused ones: all partitions
--           (look_back_s null, page by page in name order), or those with pushes in the last look_back_s seconds.
-- Params:   after_name: the end of the previous page, '' at first; page: the number of partitions to read, or to return of those with
--           recent pushes.
-- Returns:  the pending partitions; until_ms: for how long they cannot be leased, null if they can. The last partition of a page is always
--           the last row, pending or not, so that the caller can continue after it. No row: there is no further partition.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    -- A variable, because PostgreSQL does not use an index for the result of a volatile function.
    at timestamptz := clock_timestamp();
begin
    return query
    with paged as (
        select p.id, p.name, p.head, p.tail, p.is_paused
        from (
            select k.id
            from partition_key k
            where k.queue_id = resolve.queue_id
              and k.name > after_name
              and look_back_s is null
            order by k.name
            limit page
        ) k
        cross join lateral :newest_partition(k.id) p
    ), recent as (
        -- Only pending partitions count toward the page: fully read partitions must not hide others.
        select p.id, p.name, p.head, p.tail, p.is_paused
        from partition p
        left join lateral :newest_cursor(p.id, resolve.group_name) c on true
        where p.queue_id = resolve.queue_id
          -- active_at lags behind the last push by up to ten seconds.
          and p.active_at >= at - make_interval(secs => look_back_s + 10)
          and not p.is_paused
          and greatest(coalesce(c.committed, p.tail), p.tail) < p.head
        order by p.active_at desc
        limit page
    ), either as (
        select l.*, l.name = (select max(x.name) from paged x) as is_last from paged l
        union all
        select r.*, false from recent r
    ), judged as (
        select e.id, e.name, e.is_last, not e.is_paused and greatest(coalesce(c.committed, e.tail), e.tail) < e.head as is_pending,
               nullif(greatest(c.lease_until, c.retry_at), '-infinity') as until_at
        from either e
        left join lateral :newest_cursor(e.id, resolve.group_name) c on true
    )
    select j.id, j.name, j.is_pending, case when j.until_at > at then ceil(extract(epoch from j.until_at - at) * 1000)::bigint end
    from judged j
    where j.is_pending or j.is_last
    order by j.is_last;
end
$$;
