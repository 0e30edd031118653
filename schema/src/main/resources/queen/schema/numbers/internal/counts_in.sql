create function :api.counts_in(
    from_at timestamptz, to_at timestamptz, width int, queue_ids uuid[], server_ids uuid[])
returns table (
    at timestamptz, push_requests numeric, push_messages numeric, pop_requests numeric, pop_messages numeric, pop_empty numeric,
    ack_requests numeric, ack_success numeric, ack_failed numeric, transactions numeric, dead_letters numeric,
    lag_sum_ms numeric, lag_max_ms bigint, calls numeric, db_errors numeric)
language plpgsql stable
as $$
-- Promise:  returns the counts of each bucket of the range, including empty buckets.
-- Params:   the range; width: of the buckets in minutes; queue_ids: null for the totals that the servers count; server_ids: null for all
--           servers; ignored if queues are given.
-- Returns:  one row per bucket, oldest first.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    step    interval := make_interval(mins => width);
    source  int := case when width >= 60 then 60 else 1 end;
    first   timestamptz := date_bin(make_interval(mins => source), from_at, 'epoch');
begin
    return query
    with counted as (
        select b.at, b.push_requests, b.push_messages, b.pop_requests, b.pop_messages, b.pop_empty, b.ack_requests, b.ack_success,
               b.ack_failed, b.transactions, b.dead_letters, b.lag_sum_ms, b.lag_max_ms, b.calls, b.db_errors
        from queen.server_bucket b
        where queue_ids is null
          and b.minutes = source
          and b.at >= first
          and b.at <= to_at
          and (server_ids is null or b.server_id = any (server_ids))
        union all
        select b.at, b.push_requests, b.push_messages, b.pop_requests, b.pop_messages, b.pop_empty, b.ack_requests, b.ack_success,
               b.ack_failed, b.transactions, b.dead_letters, b.lag_sum_ms, b.lag_max_ms, 0, 0
        from unnest(queue_ids) q (id)
        join queen.queue_bucket b on b.queue_id = any (array[q.id])
        where b.minutes = source
          and b.at >= first
          and b.at <= to_at
    ), summed as (
        select date_bin(step, c.at, 'epoch') as at,
               sum(c.push_requests) as c1, sum(c.push_messages) as c2, sum(c.pop_requests) as c3, sum(c.pop_messages) as c4,
               sum(c.pop_empty) as c5, sum(c.ack_requests) as c6, sum(c.ack_success) as c7, sum(c.ack_failed) as c8,
               sum(c.transactions) as c9, sum(c.dead_letters) as c10, sum(c.lag_sum_ms) as c11, max(c.lag_max_ms) as c12,
               sum(c.calls) as c13, sum(c.db_errors) as c14
        from counted c
        group by 1
    )
    select t, coalesce(s.c1, 0), coalesce(s.c2, 0), coalesce(s.c3, 0), coalesce(s.c4, 0), coalesce(s.c5, 0), coalesce(s.c6, 0),
           coalesce(s.c7, 0), coalesce(s.c8, 0), coalesce(s.c9, 0), coalesce(s.c10, 0), coalesce(s.c11, 0), coalesce(s.c12, 0),
           coalesce(s.c13, 0), coalesce(s.c14, 0)
    from generate_series(date_bin(step, from_at, 'epoch'), to_at, step) t
    left join summed s on s.at = t
    order by t;
end
$$;
