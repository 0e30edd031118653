create function :api.delivery_states(partition_ids uuid[], group_names text[])
returns table (
    index int, state text, first bigint, pending bigint, processing bigint, until_at timestamptz, since_at timestamptz,
    oldest_at timestamptz, lease_id uuid, lease_until timestamptz, attempts int, error text, has_cursor boolean,
    paused_by text, is_last boolean, next bigint, expired bigint, exhausted bigint, partition queen.partition, reader queen.cursor)
language plpgsql stable
as $$
-- Promise:  returns the present state of a group in a partition, which is what the next pop of the partition will do: judged by
--           partition_status, as in lease, after the effects of evict and expire. state, the first that applies:
--             unsubscribed  the group never requested the queue      empty     nothing is unread
--             maintenance   pops are switched off                    paused    by an operator: the queue, group or partition
--             leased        a consumer has leased the partition, until until_at
--             expired       all unread messages waited too long, or more of them than one call evicts
--             exhausted     the lease of the only message expired, and that was its last attempt
--             retrying      the next message failed; until until_at  window    recent push, until until_at
--             delayed       the next message is due at until_at      ready     the next pop gets it
--           Locks of other transactions on the cursor are not considered: they last for a moment.
-- Params:   arrays of equal length, one element per (partition, group).
-- Returns:  one row per existing partition: the first unread offset, the number of unread messages and of leased ones, when the first one
--           was stored, the lease (live or expired). next: the offset to be delivered next, after expired (the number of messages that
--           waited too long) and exhausted (the message that becomes a dead letter instead of being delivered); attempts and error of the
--           next message; is_last: it is delivered alone, because it is at its last attempt, as in failures_ahead; partition, reader: the
--           rows of the partition and of the cursor; reader is null without a cursor.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    at          timestamptz := clock_timestamp();
    is_closed   boolean;
    part        record;
begin
    if current_schema() = 'queen' then
        for part in select * from :api.shard_parts(partition_ids) loop
            perform :api.select_shard(part.shard);
            return query
            select part.indexes[s.index], s.state, s.first, s.pending, s.processing, s.until_at, s.since_at, s.oldest_at, s.lease_id,
                   s.lease_until, s.attempts, s.error, s.has_cursor, s.paused_by, s.is_last, s.next, s.expired, s.exhausted, s.partition, s.reader
            from :api.delivery_states(
                array(select partition_ids[i] from unnest(part.indexes) i), array(select group_names[i] from unnest(part.indexes) i)) s;
        end loop;
        perform :api.select_shard('queen');
        return;
    end if;

    is_closed := (select s.pop_maintenance from queen.system_state s where s.is_the_only_row);
    return query
    -- Materialized, because the results of each step are used several times in the next.
    with reading as materialized (
        select i.index, i.group_name, p.id, p.head, p.tail, p.removed, p.is_paused, p.last_push_at, q.delayed_processing_s,
               q.window_buffer_s, q.retry_limit, :api.eviction_age(q.max_wait_time_s, q.ttl_s) as age,
               c.committed, c.lease_id, c.lease_until, c.lease_end, c.acked, c.is_failing, c.retry_at, c.is_alone,
               c.lease_id is not null and c.lease_until <= at as is_overdue,
               c.lease_id is distinct from c.kept_lease_id and not (
                   c.lease_until <= at and :is_exempt(p.id, c.lease_id, c.committed, at)) as is_charged,
               i.group_name = '__QUEUE_MODE__' or s.mode is not null or c.committed is not null as is_subscribed,
               case when q.is_paused then 'queue' when g.group_name is not null then 'group' when p.is_paused then 'partition' end as paused_by,
               g.paused_at,
               case when c.committed is not null then c.committed
                    when b.from_at is null then p.tail
                    else :offset_at(p.id, p.tail, p.head, b.from_at) end as place,
               row(p.*)::queen.partition as partition, row(c.*)::queen.cursor as reader
        from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
        cross join lateral :newest_partition(i.partition_id) p
        join queen.queue q on q.id = any (array[p.queue_id])
        left join lateral :newest_cursor(i.partition_id, i.group_name) c on true
        left join queen.group_pause g on g.queue_id = any (array[p.queue_id]) and g.group_name = i.group_name
        left join lateral (
            -- A subscription to the queue takes precedence over one to its namespace or task.
            select s.mode, s.from_at
            from queen.subscription s
            where s.group_name = i.group_name
              and s.queue_name in (q.name, '')
              and (s.queue_name <> '' or s.namespace in ('', q.namespace) and s.task in ('', q.task))
            order by s.queue_name desc, s.subscribed_at
            limit 1
        ) s on true
        left join lateral (
            select :begins_at(q.name, :api.eviction_age(q.max_wait_time_s, q.ttl_s), i.group_name, s.from_at, at) as from_at
            where c.committed is null and p.tail < p.head
            offset 0
        ) b on true
    ), evicted as materialized (
        -- The effect of evict before a lease, unless the partition is leased. fresh: the first offset that has not waited too long.
        select r.*, f.first,
               case when r.age is not null and f.first < r.head and (r.lease_id is null or r.is_overdue)
                    then :offset_at(r.id, r.tail, r.head, at - make_interval(secs => r.age) + interval '1 microsecond') end as fresh
        from reading r
        cross join lateral (select :api.first_unread(r.place, r.tail, r.acked, r.removed) as first offset 0) f
    ), left_over as materialized (
        select e.*, x.is_stale, :api.first_unread(greatest(e.place, e.fresh), e.tail, e.acked, e.removed) as rest,
               -- A lease on only expired messages ends with them.
               e.is_overdue and (not x.is_stale or :api.first_unread(e.fresh, e.tail, e.acked, null) < e.lease_end) as is_to_expire
        from evicted e
        cross join lateral (select coalesce(e.fresh > greatest(e.place, e.tail), false) as is_stale) x
    ), expired as materialized (
        -- The effect of expire before a lease: the message that was alone at its last attempt becomes a dead letter.
        select l.*, case when l.is_to_expire and l.is_alone and l.is_charged and :api.unread(l.rest, l.lease_end, l.acked, l.removed) = 1
                              and coalesce(x.attempts, 0) + 1 > l.retry_limit then l.rest end as exhausted
        from left_over l
        left join lateral (
            select x.attempts from :failure_of(l.id, l.group_name, l.rest) x where l.is_to_expire and l.is_failing
        ) x on true
    ), advanced as materialized (
        select x.*, case when x.exhausted is null then x.rest
                         else :api.first_unread(x.exhausted + 1, x.tail, x.acked, x.removed) end as next
        from expired x
    ), judged as materialized (
        select a.*, o.created_at as oldest_at, n.created_at as next_at, f.attempts, f.error, f.failed_at,
               :api.unread(a.first, a.head, a.acked, a.removed) as pending,
               case when a.lease_until > at then :api.unread(a.first, a.lease_end, a.acked, a.removed) else 0 end as processing,
               case when a.is_stale then :api.unread(a.first, a.rest, a.acked, a.removed) else 0 end as expired,
               -- The limits of one call of evict.
               a.is_stale and (a.fresh - greatest(a.place, a.tail) > 1000 or (
                   select count(*) from (
                       select 1 from segment s
                       where s.partition_id = a.id and s.base >= :first_segment(a.id, a.first) and s.base < a.fresh
                       limit 101) s) > 100) as is_too_much,
               -- The value of the cursor after evict and expire.
               case when a.exhausted is not null or a.is_stale and not a.is_to_expire then case when a.is_failing then f.retry_at end
                    when not a.is_to_expire then a.retry_at end as due_again_at,
               case when a.is_to_expire and a.is_charged and a.next < a.lease_end then 1 else 0 end as charge
        from advanced a
        left join lateral (
            select s.created_at from segment s
            where s.partition_id = a.id and s.base <= a.first and a.first < a.head
            order by s.base desc limit 1
        ) o on true
        left join lateral (
            select s.created_at from segment s
            where s.partition_id = a.id and s.base <= a.next and a.next < a.head
            order by s.base desc limit 1
        ) n on true
        left join lateral (
            select f.attempts, f.error, f.failed_at, f.retry_at from :failure_of(a.id, a.group_name, a.next) f where a.is_failing
        ) f on true
    ), decided as materialized (
        select j.*, j.next_at + make_interval(secs => j.delayed_processing_s) as due_at,
               :api.partition_status(case when not j.is_overdue then j.lease_id end, null, j.lease_until, j.next, j.head, j.is_paused,
                                j.due_again_at, j.window_buffer_s, j.last_push_at, at) as status
        from judged j
    ), named as materialized (
        select d.*, case
                   when not d.is_subscribed then 'unsubscribed'
                   when d.pending = 0 then 'empty'
                   when is_closed then 'maintenance'
                   when d.paused_by is not null then 'paused'
                   when d.status = 'busy' then 'leased'
                   when d.is_too_much then 'expired'
                   when d.status = 'empty' then case when d.exhausted is null then 'expired' else 'exhausted' end
                   when d.status = 'ready' and d.delayed_processing_s > 0 and d.due_at > at
                        and d.next_at <= at + interval '1 minute' then 'delayed'
                   else d.status
               end as state
        from decided d
    )
    select n.index::int, n.state, n.first, n.pending, n.processing,
           case n.state when 'leased' then n.lease_until when 'retrying' then n.due_again_at
                        when 'window' then n.last_push_at + make_interval(secs => n.window_buffer_s) when 'delayed' then n.due_at end,
           case n.state when 'retrying' then n.failed_at when 'window' then n.last_push_at
                        when 'paused' then case when n.paused_by = 'group' then n.paused_at end
                        when 'leased' then null when 'maintenance' then null else n.oldest_at end,
           n.oldest_at, n.lease_id, n.lease_until, coalesce(n.attempts, 0), n.error, n.committed is not null, n.paused_by,
           coalesce(n.attempts, 0) + n.charge >= greatest(n.retry_limit, 1), n.next, n.expired, n.exhausted, n.partition,
           case when n.committed is not null then n.reader end
    from named n;
end
$$;
