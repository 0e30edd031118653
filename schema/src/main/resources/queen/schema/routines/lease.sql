create function :api.lease(
    partition_ids uuid[], group_names text[], lease_ids uuid[], batches int[], lease_seconds int[],
    delay_seconds int[], window_seconds int[], lane_limits int[], is_auto_ack boolean,
    plains boolean[] default null, byte_rooms bigint[] default null)
returns table (
    index int, status text, first bigint, "end" bigint, head bigint, until_ms bigint, acked text, attempts int,
    bytes bigint)
language plpgsql volatile
as $$
-- Promise:  gives each free lane that has due messages to its lease id, from the first unfinished message on, at most batch
--           messages and lane_limit lanes for one lease id, and about as many bytes as it has room for, but
--           at least one message. A message that failed before is given alone.
--           With is_auto_ack the messages count as finished at once and nobody holds the lane.
-- Params:   arrays of equal length, one element per wanted (lane, group), each pair once; rows of one lease id in wish order.
--           plains: the lane stands alone under its lease id, which begins like its own id, and its queue has no due times;
--           such lanes, when nothing is unusual about them, are leased by a shorter statement.
--           byte_rooms: the same for all rows of a lease id; null for any number of bytes.
-- Returns:  one row per existing cursor nobody else is working on at this moment. status:
--             leased   offsets first to end - 1, without those in acked, are yours for until_ms; bytes: about what they take, or more
--             busy     someone else's for until_ms           waiting  nothing is due for until_ms, or the lane is paused
--             empty    nothing to read                       spared   has something, but the batch, lane or byte limit was reached
--             expired  the last holder is overdue: call expire, then come back
-- Locks:    queen.cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   queen.cursor, queen.lease_lanes
#variable_conflict use_column
declare
    -- Taken before the locks: somebody else's lease is at worst judged live a moment too long, never too short.
    at timestamptz := clock_timestamp();
    taken   bigint[];
    firsts  bigint[];
    ends    bigint[];
    heads   bigint[];
    sizes   bigint[];
    held    bigint[];
begin
    if plains is not null then
        select array_agg(g.index), array_agg(g.first), array_agg(g."end"), array_agg(g.head), array_agg(g.bytes)
        into taken, firsts, ends, heads, sizes
        from :api.lease_plain(partition_ids, group_names, lease_ids, batches, lease_seconds, is_auto_ack, plains, byte_rooms, at) g;

        return query
        select t.index::int, 'leased', t.first, t."end", t.head, lease_seconds[t.index] * 1000::bigint, null::text, 0, t.bytes
        from unnest(taken, firsts, ends, heads, sizes) as t (index, first, "end", head, bytes);

        if cardinality(taken) = cardinality(partition_ids) then
            return;
        end if;
    end if;

    -- Locked by a statement of their own: what the next one reads of failures is then no older than the cursors it judges.
    with locked as (
        select i.index
        from (
            select i.* from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
            where i.index <> all (coalesce(taken, '{}'))
            order by i.partition_id, i.group_name
        ) i
        cross join lateral (
            select from queen.cursor c where c.partition_id = i.partition_id and c.group_name = i.group_name
            order by c.generation desc limit 1 for update skip locked
        ) c
    )
    select array_agg(l.index) into held from locked l;

    return query
    with locked as (
        select i.index, i.partition_id, i.group_name, i.lease_id, i.batch, i.lease_s, i.delay_s, i.window_s, i.lane_limit, i.byte_room,
               c.tid, c.committed, c.lease_id as holder, c.lease_until, c.lease_end, c.acked as finished, c.is_failing, c.retry_at
        from unnest(partition_ids, group_names, lease_ids, batches, lease_seconds, delay_seconds, window_seconds, lane_limits, byte_rooms)
             with ordinality as i (partition_id, group_name, lease_id, batch, lease_s, delay_s, window_s, lane_limit, byte_room, index)
        cross join lateral :api.cursor_of(i.partition_id, i.group_name) c
        where i.index = any (held)
    ), judged as (
        select l.*, r.acked, f.first, f.first > greatest(l.committed, p.tail) as is_passing, p.head,
               case
                   when l.holder is not null and l.lease_until <= at then 'expired'
                   when l.holder = l.lease_id then 'held'
                   when l.holder is not null then 'busy'
                   when f.first >= p.head then 'empty'
                   when p.is_paused then 'waiting'
                   when l.retry_at > at then 'waiting'
                   when l.window_s > 0 and p.last_push_at > at - make_interval(secs => l.window_s) then 'waiting'
                   else 'ready'
               end as status,
               case
                   when l.holder is not null then l.lease_until
                   -- Resuming rings; this is for a server that did not hear it.
                   when p.is_paused then at + interval '10 minutes'
                   when l.retry_at > at then l.retry_at
                   when l.window_s > 0 then p.last_push_at + make_interval(secs => l.window_s)
               end as until_at,
               -- Segments are looked at only where the largest line does not tell that all of it has room.
               case when l.holder is null and (e."end" - f.first) * p.largest_line <= l.byte_room is not true and l.byte_room is not null
                    then :api.end_within(l.partition_id, f.first, e."end", l.byte_room) else e."end" end as "end",
               p.largest_line
        from locked l
        cross join lateral :api.partition_of(l.partition_id) p
        cross join lateral (
            -- What an operator removed counts as finished, and is noted down as such with the lease.
            select case when p.removed is null then l.finished else coalesce(l.finished, '{}') + p.removed end as acked
        ) r
        cross join lateral (select :api.first_unfinished(l.committed, p.tail, r.acked) as first) f
        cross join lateral (select least(f.first + l.batch, p.head) as "end") e
    ), bounded as (
        -- The usual lane has no failed message and no delay, and pays for neither.
        select j.*, f.attempts, f.next_offset,
               case
                   when j.status <> 'ready' then j."end"
                   when f.attempts is not null then j.first + 1
                   else least(j."end", f.next_offset, case when j.delay_s > 0 then coalesce(d.due_end, j.first) end)
               end as due_end,
               d.due_at
        from judged j
        left join lateral (
            select max(x.attempts) filter (where x.message_offset = j.first) as attempts,
                   min(x.message_offset) filter (where x.message_offset > j.first) as next_offset
            from queen.failure x
            where j.is_failing
              and x.partition_id = j.partition_id
              and x.group_name = j.group_name
              and x.message_offset >= j.first
        ) f on j.is_failing
        left join lateral (
            select max(s.base + s.count) filter (where s.created_at <= at - make_interval(secs => j.delay_s)) as due_end,
                   min(s.created_at) filter (where s.base + s.count > j.first) + make_interval(secs => j.delay_s) as due_at
            from queen.segment s
            where j.delay_s > 0
              and s.partition_id = j.partition_id
              and s.base < j."end"
              and s.base >= coalesce(
                  (select max(b.base) from queen.segment b where b.partition_id = j.partition_id and b.base <= j.first), j.first)
        ) d on j.delay_s > 0
    ), budgeted as (
        select b.*,
               coalesce(sum(b.due_end - b.first) filter (where b.status = 'ready') over earlier, 0)::bigint as spent,
               coalesce(sum(b.bytes) filter (where b.status = 'ready') over earlier, 0)::bigint as spent_bytes,
               count(*) filter (where b.status = 'ready' and b.due_end > b.first) over earlier as claimed
        from (select b.*, least(b.byte_room, (b.due_end - b.first) * b.largest_line) as bytes from bounded b) b
        window earlier as (partition by b.lease_id order by b.index rows between unbounded preceding and 1 preceding)
    ), decided as (
        select b.*, g.given_end,
               case when not is_auto_ack then b.first
                    when b.acked is null or g.given_end <= b.first then g.given_end
                    else (select upper(r) from unnest(b.acked + int8multirange(int8range(b.first, g.given_end))) r
                          where r @> b.first) end as reached,
               b.status = 'ready' and b.due_end > b.first and b.spent < b.batch and b.claimed < b.lane_limit
                   and (b.spent_bytes = 0 or (b.spent_bytes + b.bytes <= b.byte_room) is not false) as is_given
        from budgeted b
        cross join lateral (select least(b.due_end, b.first + b.batch - b.spent) as given_end) g
    ), taken as (
        update queen.cursor c
        set committed = d.reached,
            acked = case when d.acked is not null then
                    nullif(d.acked - int8multirange(int8range(null, d.reached)), '{}'::int8multirange) end,
            completed_count = c.completed_count + case when not is_auto_ack then 0 else d.given_end - d.first - coalesce((
                    select sum(upper(r) - lower(r)) from unnest(d.acked * int8multirange(int8range(d.first, d.given_end))) r), 0) end,
            last_ack_at = case when is_auto_ack then at else c.last_ack_at end,
            lease_id = case when is_auto_ack then null else d.lease_id end,
            lease_until = case when is_auto_ack then null else at + make_interval(secs => d.lease_s) end,
            lease_end = case when is_auto_ack then null else d.given_end end,
            is_failing = case when is_auto_ack then d.next_offset is not null else c.is_failing end,
            retry_at = case when is_auto_ack and d.is_failing then (
                    select x.retry_at from queen.failure x where x.partition_id = d.partition_id
                    and x.group_name = d.group_name and x.message_offset = d.reached) else c.retry_at end,
            writes = c.writes + 1,
            generation = (c.writes + 1) / 256
        from decided d
        where d.is_given and c.ctid = d.tid
        returning d.lease_id, d.partition_id
    ), passed as (
        -- All that is left was removed: the cursor moves over it, so that the lane does not look as if it had something.
        update queen.cursor c
        set committed = d.first,
            acked = nullif(d.acked - int8multirange(int8range(null, d.first)), '{}'::int8multirange),
            writes = c.writes + 1,
            generation = (c.writes + 1) / 256
        from decided d
        where d.status = 'empty' and d.is_passing
          and c.ctid = d.tid
    ), forgotten as (
        delete from queen.failure x
        using decided d
        where is_auto_ack
          and d.is_given
          and d.is_failing
          and x.partition_id = any (array[d.partition_id])
          and x.group_name = d.group_name
          and x.message_offset < d.given_end
    ), covered as (
        -- A lease id begins like the id of the first lane it was meant for; only what cannot be found that way is written down.
        insert into queen.lease_lanes (lease_id, partition_ids)
        select t.lease_id, array_agg(t.partition_id)
        from taken t
        where not is_auto_ack
        group by t.lease_id
        having count(*) > 1 or min(left(t.partition_id::text, 13)) <> left(t.lease_id::text, 13)
        on conflict (lease_id) do update set partition_ids = queen.lease_lanes.partition_ids || excluded.partition_ids
    )
    select d.index::int,
           case when d.is_given or d.status = 'held' then 'leased' when d.status <> 'ready' then d.status
                when d.due_end <= d.first then 'waiting' else 'spared' end,
           d.first,
           case when d.status = 'held' then d.lease_end else d.given_end end,
           d.head,
           case when d.is_given then d.lease_s * 1000
                else ceil(extract(epoch from case when d.status = 'ready' then d.due_at else d.until_at end - at) * 1000)::bigint end,
           d.acked::text, coalesce(d.attempts, 0), d.bytes
    from decided d;
end
$$;
