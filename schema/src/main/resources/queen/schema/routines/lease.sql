create function :api.lease(
    partition_ids uuid[], group_names text[], lease_ids uuid[], batches int[], lease_seconds int[],
    delay_seconds int[], window_seconds int[], lane_limits int[], is_auto_ack boolean,
    plains boolean[] default null, soles boolean[] default null, byte_rooms bigint[] default null)
returns table (
    index int, status text, first bigint, "end" bigint, head bigint, until_ms bigint, acked text, attempts bigint[],
    is_alone boolean, bytes bigint)
language plpgsql volatile
as $$
-- Promise:  gives each free lane that has due messages to its lease id, from the first unfinished message on, at most batch
--           messages, lane_limit lanes and about byte_room bytes for one lease id, but at least one message. What failed before is
--           given like everything else, once it is due, but a message that has its last attempt before it (failures_ahead) is given
--           alone: with no other message or lane under its lease id. With is_auto_ack messages are finished at once and nobody holds the lane.
-- Params:   arrays of equal length, one element per wanted (lane, group), each pair once; rows of one lease id in wish order.
--           plains: the lane stands alone under its lease id, which begins like its own id, and its queue has no due times;
--           such lanes, when nothing is unusual about them, are leased by a shorter statement. soles: whoever asks wants one lane or
--           one message in all, so that nothing else comes under its lease id. byte_rooms: the same for all rows of a lease id, or null.
-- Returns:  one row per existing cursor nobody else is working on at this moment. status:
--             leased   offsets first to end - 1, without those in acked, are yours for until_ms; attempts: as in failures_ahead;
--                      is_alone: nothing else is under this lease id, and nothing may be asked for with it; bytes: what they take, or more
--             busy     someone else's for until_ms           waiting  nothing is due for until_ms, or the lane is paused
--             empty    nothing to read                       spared   has something, but the batch, lane or byte limit was reached
--             expired  the last holder is overdue: call expire, then come back
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor, lease_lanes
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
        from :api.lease_plain(
            partition_ids, group_names, lease_ids, batches, lease_seconds, is_auto_ack, plains, soles, byte_rooms, at) g;

        return query
        select t.index::int, 'leased', t.first, t."end", t.head, lease_seconds[t.index] * 1000::bigint, null::text,
               null::bigint[], false, t.bytes
        from unnest(taken, firsts, ends, heads, sizes) as t (index, first, "end", head, bytes);

        if cardinality(taken) = cardinality(partition_ids) then
            return;
        end if;
    end if;

    -- Locked by a statement of their own: what the next one reads of failures is then no older than the cursors it judges.
    held := :api.lock_free_cursors(partition_ids, group_names, coalesce(taken, '{}'));

    return query
    with locked as (
        select i.index, i.partition_id, i.group_name, i.lease_id, i.batch, i.lease_s, i.delay_s, i.window_s, i.lane_limit,
               i.is_sole, i.byte_room, c.tid, c.committed, c.lease_id as holder, c.lease_until, c.lease_end, c.acked as finished, c.is_failing,
               c.retry_at, c.is_alone
        from unnest(partition_ids, group_names, lease_ids, batches, lease_seconds, delay_seconds, window_seconds, lane_limits, soles, byte_rooms)
             with ordinality as i (partition_id, group_name, lease_id, batch, lease_s, delay_s, window_s, lane_limit, is_sole, byte_room, index)
        cross join lateral (
            select v.ctid as tid, v.* from cursor v
            where v.partition_id = i.partition_id and v.group_name = i.group_name
            order by v.generation desc limit 1
        ) c
        where i.index = any (held)
    ), judged as (
        select l.*, r.acked, f.first, f.first > greatest(l.committed, p.tail) as is_passing, p.head, p.largest_line,
               :api.lane_status(l.holder, l.lease_id, l.lease_until, f.first, p.head, p.is_paused, l.retry_at, l.window_s,
                                p.last_push_at, at) as status,
               case
                   when l.holder is not null then l.lease_until
                   -- Resuming rings; this is for a server that did not hear it.
                   when p.is_paused then at + interval '10 minutes'
                   when l.retry_at > at then l.retry_at
                   when l.window_s > 0 then p.last_push_at + make_interval(secs => l.window_s)
               end as until_at,
               case when l.holder is not null then l.lease_end
                    when l.byte_room is null or (least(f.first + l.batch, p.head) - f.first) * p.largest_line <= l.byte_room
                        then least(f.first + l.batch, p.head)
                    else :api.end_within(l.partition_id, f.first, least(f.first + l.batch, p.head), l.byte_room) end as "end"
        from locked l
        cross join lateral (
            select v.* from partition v
            where v.id = l.partition_id
            order by v.generation desc limit 1
        ) p
        cross join lateral (
            -- What an operator removed counts as finished, and is noted down as such with the lease.
            select case when p.removed is null then l.finished else coalesce(l.finished, '{}') + p.removed end as acked
        ) r
        cross join lateral (select :api.first_unfinished(l.committed, p.tail, r.acked) as first) f
    ), bounded as (
        -- The usual lane has no failed message and no delay, and pays for neither.
        select j.*, f.attempts, case when j.status = 'held' then j.is_alone else coalesce(f.is_last, false) end as is_lone,
               case
                   when j.status <> 'ready' then j."end"
                   else least(case when f.is_last then j.first + 1 else f.next_stop end, j."end",
                              case when j.delay_s > 0 then coalesce(d.due_end, j.first) end)
               end as due_end,
               d.due_at
        from judged j
        left join lateral (
            select f.* from :api.failures_ahead(j.partition_id, j.group_name, j.first, j."end", j.acked, is_auto_ack, at) f
            where j.is_failing
        ) f on true
        left join lateral (
            select d.* from :api.due_until(j.partition_id, j.first, j."end", j.delay_s, at) d where j.delay_s > 0
        ) d on true
    ), budgeted as (
        -- What is to be given alone is given first, or not at all.
        select b.*,
               coalesce(sum(b.due_end - b.first) filter (where b.is_wanted and not b.is_lone) over earlier, 0)::bigint as spent,
               coalesce(sum(b.bytes) filter (where b.is_wanted and not b.is_lone) over earlier, 0)::bigint as spent_bytes,
               count(*) filter (where b.is_wanted and not b.is_lone) over earlier as claimed,
               b.is_lone and b.is_wanted and count(*) filter (where b.is_wanted) over earlier = 0 as is_first_and_lone
        from (select b.*, b.status in ('ready', 'held') and b.due_end > b.first as is_wanted,
                     least(b.byte_room, (b.due_end - b.first) * b.largest_line) as bytes from bounded b) b
        window earlier as (partition by b.lease_id order by b.index rows between unbounded preceding and 1 preceding)
    ), decided as (
        select b.*, g.given_end,
               case when not is_auto_ack then b.first
                    when b.acked is null or g.given_end <= b.first then g.given_end
                    else (select upper(r) from unnest(b.acked + int8multirange(int8range(b.first, g.given_end))) r
                          where r @> b.first) end as reached,
               b.status = 'ready' and b.is_wanted and case
                   when b.is_lone then b.is_first_and_lone and (b.is_sole or not exists (select from :api.lanes_of(array[b.lease_id])))
                   else b.spent < b.batch and b.claimed < b.lane_limit
                        and (b.spent_bytes = 0 or b.spent_bytes + b.bytes <= b.byte_room) is not false
                        and not bool_or(b.is_first_and_lone) over (partition by b.lease_id) end as is_given,
               b.is_lone or coalesce(b.is_sole, false) and :api.unread(b.first, g.given_end, b.acked, null) = 1 as is_to_be_alone
        from budgeted b
        cross join lateral (
            select case when b.is_lone then b.due_end else least(b.due_end, b.first + b.batch - b.spent) end as given_end
        ) g
    ), taken as (
        update cursor c
        set committed = d.reached,
            acked = case when d.acked is not null then
                    nullif(d.acked - int8multirange(int8range(null, d.reached)), '{}'::int8multirange) end,
            completed_count = c.completed_count + case when not is_auto_ack then 0 else d.given_end - d.first - coalesce((
                    select sum(upper(r) - lower(r)) from unnest(d.acked * int8multirange(int8range(d.first, d.given_end))) r), 0) end,
            last_ack_at = case when is_auto_ack then at else c.last_ack_at end,
            lease_id = case when is_auto_ack then null else d.lease_id end,
            lease_until = case when is_auto_ack then null else at + make_interval(secs => d.lease_s) end,
            lease_end = case when is_auto_ack then null else d.given_end end,
            is_alone = d.is_to_be_alone,
            is_failing = c.is_failing and (not is_auto_ack or exists (
                    select from failure x where x.partition_id = d.partition_id and x.group_name = d.group_name
                    and x.message_offset + x.message_count > d.reached)),
            retry_at = case when is_auto_ack and d.is_failing then (
                    select x.retry_at from :api.failure_of(d.partition_id, d.group_name, d.reached) x) else c.retry_at end,
            :written(c)
        from decided d
        where d.is_given and c.ctid = d.tid
        returning d.lease_id, d.partition_id
    ), passed as (
        -- All that is left was removed: the cursor moves over it, so that the lane does not look as if it had something.
        update cursor c
        set committed = d.first,
            acked = nullif(d.acked - int8multirange(int8range(null, d.first)), '{}'::int8multirange),
            :written(c)
        from decided d
        where d.status = 'empty' and d.is_passing
          and c.ctid = d.tid
    ), forgotten as (
        delete from failure x
        using decided d
        where is_auto_ack
          and d.is_given
          and d.is_failing
          and x.partition_id = any (array[d.partition_id])
          and x.group_name = d.group_name
          and x.message_offset + x.message_count <= d.reached
    ), covered as (
        -- A lease id begins like the id of the first lane it was meant for; only what cannot be found that way is written down.
        insert into lease_lanes (lease_id, partition_ids)
        select t.lease_id, array_agg(t.partition_id)
        from taken t
        where not is_auto_ack
        group by t.lease_id
        having count(*) > 1 or min(left(t.partition_id::text, 13)) <> left(t.lease_id::text, 13)
        on conflict (lease_id) do update set partition_ids = lease_lanes.partition_ids || excluded.partition_ids
    )
    select d.index::int,
           case when d.is_given or d.status = 'held' then 'leased'
                when d.status in ('expired', 'busy', 'empty') then d.status
                when d.status <> 'ready' or d.due_end <= d.first then 'waiting'
                else 'spared' end,
           d.first,
           case when d.status = 'held' then d.lease_end else d.given_end end,
           d.head,
           case when d.is_given then d.lease_s * 1000
                else ceil(extract(epoch from case when d.status = 'ready' then d.due_at else d.until_at end - at) * 1000)::bigint end,
           d.acked::text, d.attempts, d.is_lone and (d.is_given or d.status = 'held'), d.bytes
    from decided d;
end
$$;
