create function :api.standing(partition_ids uuid[], group_names text[])
returns table (
    index int, state text, first bigint, pending bigint, processing bigint, until_at timestamptz, since_at timestamptz,
    oldest_at timestamptz, lease_id uuid, lease_until timestamptz, attempts int, error text, has_cursor boolean,
    paused_by text, is_last boolean)
language plpgsql stable
as $$
-- Promise:  how a group stands in a lane at this moment, judged as lease would judge it. state, the first that applies:
--             unsubscribed  the group never asked for the queue      empty     nothing is unread
--             paused        by an operator: the queue, group or lane leased    somebody holds the lane, until until_at
--             retrying      the first message failed; until until_at window    pushed to lately, until until_at
--             delayed       the first message is due at until_at     ready     the next pop gets it
-- Params:   arrays of equal length, one element per (lane, group).
-- Returns:  one row per existing lane: the first unread offset, how many are unread and how many of them are leased, when the
--           first one came, the lease (live or overdue), failed attempts of the first message and the last error;
--           is_last: it is delivered alone, for it has its last attempt before it, as in failures_ahead.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    at timestamptz := clock_timestamp();
begin
    return query
    with reading as (
        select i.index, i.group_name, p.id, p.head, p.tail, p.removed, p.last_push_at, q.delayed_processing_s, q.window_buffer_s,
               q.retry_limit,
               c.committed, c.lease_id, c.lease_until, c.lease_end, c.acked, c.is_failing, c.retry_at,
               s.mode, i.group_name = '__QUEUE_MODE__' or s.mode is not null or c.committed is not null as is_subscribed,
               case when q.is_paused then 'queue' when g.group_name is not null then 'group' when p.is_paused then 'lane' end as paused_by,
               g.paused_at,
               :api.first_unread(
                   case when c.committed is not null then c.committed
                        when s.begins_at is not null then :api.offset_at(p.id, s.begins_at)
                        else p.tail end, p.tail, c.acked, p.removed) as first
        from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
        cross join lateral :api.partition_of(i.partition_id) p
        join queen.queue q on q.id = any (array[p.queue_id])
        left join lateral :api.cursor_of(i.partition_id, i.group_name) c on true
        left join queen.group_pause g on g.queue_id = any (array[p.queue_id]) and g.group_name = i.group_name
        left join lateral (
            -- A subscription to the queue counts before one to its namespace or task. What expired before is not its concern.
            select s.mode,
                   greatest(s.from_at, s.subscribed_at - make_interval(secs => (:api.upkeep_policy('eviction', q))[1])) as begins_at
            from queen.subscription s
            where s.group_name = i.group_name
              and s.queue_name in (q.name, '')
              and (s.queue_name <> '' or s.namespace in ('', q.namespace) and s.task in ('', q.task))
            order by s.queue_name desc
            limit 1
        ) s on true
    ), judged as (
        select r.*, m.oldest_at, x.attempts, x.error, x.failed_at,
               :api.unread(r.first, r.head, r.acked, r.removed) as pending,
               case when r.lease_until > at then :api.unread(r.first, r.lease_end, r.acked, r.removed) else 0 end as processing,
               case when r.window_buffer_s > 0 then r.last_push_at + make_interval(secs => r.window_buffer_s) end as window_at,
               case when r.delayed_processing_s > 0 then m.oldest_at + make_interval(secs => r.delayed_processing_s) end as due_at
        from reading r
        left join lateral (
            select s.created_at as oldest_at
            from queen.segment s
            where s.partition_id = r.id and s.base <= r.first and r.first < r.head
            order by s.base desc
            limit 1
        ) m on true
        left join lateral (
            select x.attempts, x.error, x.failed_at from :api.failure_of(r.id, r.group_name, r.first) x where r.is_failing
        ) x on true
    ), named as (
        select j.*, case
                   when not j.is_subscribed then 'unsubscribed'
                   when j.pending = 0 then 'empty'
                   when j.paused_by is not null then 'paused'
                   when j.lease_until > at then 'leased'
                   when j.lease_id is not null then 'ready'
                   when j.retry_at > at then 'retrying'
                   when j.window_at > at then 'window'
                   when j.due_at > at then 'delayed'
                   else 'ready'
               end as state
        from judged j
    )
    select n.index::int, n.state, n.first, n.pending, n.processing,
           case n.state when 'leased' then n.lease_until when 'retrying' then n.retry_at
                        when 'window' then n.window_at when 'delayed' then n.due_at end,
           case n.state when 'retrying' then n.failed_at when 'window' then n.last_push_at
                        when 'paused' then case when n.paused_by = 'group' then n.paused_at end
                        when 'leased' then null else n.oldest_at end,
           n.oldest_at, n.lease_id, n.lease_until, coalesce(n.attempts, 0), n.error, n.committed is not null, n.paused_by,
           coalesce(n.attempts >= greatest(n.retry_limit, 1), false)
    from named n;
end
$$;
