create function :api.queue_counts_in(from_at timestamptz, to_at timestamptz, width int, queue_ids uuid[])
returns table (
    queue_id uuid, queue_name text, at timestamptz, push_requests numeric, push_messages numeric, pop_messages numeric,
    pop_empty numeric, ack_requests numeric, ack_success numeric, ack_failed numeric, transactions numeric,
    partitions_created numeric, partitions_deleted numeric, lag_sum_ms numeric, lag_max_ms bigint, waiting_pops numeric)
language plpgsql stable
as $$
-- Promise:  returns the counts of each queue in each bucket of the range, over all servers.
-- Params:   the range; width: of the buckets in minutes; the queues.
-- Returns:  one row per queue and bucket with counts.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    source int := case when width >= 60 then 60 else 1 end;
begin
    return query
    with by_server as (
        select b.queue_id, date_bin(make_interval(mins => width), b.at, 'epoch') as at,
               sum(b.push_requests) as c1, sum(b.push_messages) as c2, sum(b.pop_messages) as c3, sum(b.pop_empty) as c4,
               sum(b.ack_requests) as c5, sum(b.ack_success) as c6, sum(b.ack_failed) as c7, sum(b.transactions) as c8,
               sum(b.partitions_created) as c9, 0 as c10, sum(b.lag_sum_ms) as c11, max(b.lag_max_ms) as c12, max(b.waiting_pops) as c13
        from unnest(queue_ids) q (id)
        join queen.queue_bucket b on b.queue_id = any (array[q.id])
        where b.minutes = source
          and b.at >= date_bin(make_interval(mins => source), from_at, 'epoch')
          and b.at <= to_at
        group by b.queue_id, 2, b.server_id
        union all
        select m.queue_id, date_bin(make_interval(mins => width), m.at, 'epoch'), 0, 0, 0, 0, 0, 0, 0, 0, 0, m.partitions_deleted, 0, 0, 0
        from unnest(queue_ids) q (id)
        join retention_minute m on m.queue_id = any (array[q.id])
        where m.partitions_deleted > 0
          and m.at >= date_bin('1 minute', from_at, 'epoch')
          and m.at <= to_at
    )
    select s.queue_id, q.name, s.at, sum(s.c1), sum(s.c2), sum(s.c3), sum(s.c4), sum(s.c5), sum(s.c6), sum(s.c7), sum(s.c8),
           sum(s.c9), sum(s.c10), sum(s.c11), max(s.c12)::bigint, sum(s.c13)
    from by_server s
    join queen.queue q on q.id = any (array[s.queue_id])
    group by s.queue_id, q.name, s.at;
end
$$;
