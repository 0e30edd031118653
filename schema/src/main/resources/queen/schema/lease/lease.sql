create function :api.lease(
    partition_ids uuid[], group_names text[], lease_ids uuid[], batches int[], lease_seconds int[],
    delay_seconds int[], window_seconds int[], partition_limits int[], is_auto_ack boolean,
    plains boolean[] default null, soles boolean[] default null, byte_limits bigint[] default null,
    opens boolean[] default null, from_ats timestamptz[] default null)
returns table (
    index int, status text, first bigint, "end" bigint, head bigint, until_ms bigint, acked text, attempts bigint[],
    is_alone boolean, bytes bigint)
language plpgsql volatile
as $$
-- Promise:  leases each free partition with due messages to its lease id, from the first unfinished message on: at most batch messages,
--           partition_limit partitions and about byte_limit bytes per lease id, but at least one message. Failed messages are included when
--           they are due. A message at its last attempt (failures_ahead) is leased alone: with no other message or partition under its
--           lease id. With is_auto_ack messages are finished at once, and the partition is not leased.
-- Params:   arrays of equal length, one element per requested (partition, group), each pair once; rows of one lease id in order of
--           preference. plains: the partition is alone under its lease id, which begins like its own id, and its queue has no delays; such
--           partitions, if nothing about them is unusual, are leased by a shorter statement. soles: the consumer requests one partition or
--           one message in total, so nothing else is leased under its lease id. byte_limits: the same for all rows of a lease id, or null.
--           opens: the group may have no cursor in the partition; it is then created with from_at, as lease_new does. A crash may lose such
--           a cursor together with its lease; it is then created again. Expired messages are evicted for new cursors; for existing ones the
--           caller calls evict before.
-- Returns:  one row per existing cursor that no other transaction has locked, except new ones that need another evict. status:
--             leased   offsets first to end - 1, without those in acked, are leased for until_ms; attempts: as in failures_ahead; is_alone: nothing
--                      else is under this lease id, and nothing may be requested with it; bytes: the size of the messages, or more
--             busy     leased by another lease id for until_ms
--             waiting  nothing is due for until_ms, or the partition is paused
--             empty    nothing to read
--             spared   has messages, but the batch, partition or byte limit was reached
--             expired  the last lease has expired: call expire, then repeat the call
-- Locks:    what lease_new locks; cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor, lease_partitions, what lease_new and evict write
#variable_conflict use_column
declare
    -- Read before the locks: the lease of another consumer may count as live a moment too long, never too short.
    at timestamptz := clock_timestamp();
    -- Input positions: decided rows, locked cursors, and new cursors whose first message has expired.
    taken       bigint[];       held        bigint[];       stale       bigint[];
    firsts      bigint[];       ends        bigint[];
    heads       bigint[];       sizes       bigint[];
    -- Limits of unusual partitions, by input position.
    partition_ends bigint[];    stops       bigint[];
    lasts       boolean[];      crowds      boolean[];      tries       text[];
    due_ends    bigint[];       due_ats     timestamptz[];
    -- The decisions about the locked partitions.
    indexes     bigint[];
    partitions  uuid[];             groups      text[];
    holders     uuid[];             places      tid[];
    statuses    text[];             waits       bigint[];
    finished    int8multirange[];   left_over   int8multirange[];
    reached     bigint[];           completed   bigint[];
    untils      timestamptz[];      given       boolean[];
    passing     boolean[];          lone        boolean[];
    alone       boolean[];
begin
    if true = any (opens) then
        select l.settled, l.indexes, l.statuses, l.firsts, l.ends, l.heads, l.sizes, l.stale
        into taken, indexes, statuses, firsts, ends, heads, sizes, stale
        from :api.lease_new(
            partition_ids, group_names, lease_ids, batches, lease_seconds, delay_seconds, window_seconds, partition_limits, is_auto_ack, plains,
            soles, byte_limits, opens, from_ats, at) l;
        return query
        select t.index::int, t.status, t.first, t."end", t.head,
               case when t.status = 'leased' then lease_seconds[t.index] * 1000::bigint end, null::text, null::bigint[], false, t.bytes
        from unnest(indexes, statuses, firsts, ends, heads, sizes) as t (index, status, first, "end", head, bytes);
        if cardinality(stale) > 0 then
            -- A partition with more expired messages than one call evicts is not leased in this call.
            taken := taken || array(
                select stale[e.index]
                from :api.evict(array(select partition_ids[s] from unnest(stale) s), array(select group_names[s] from unnest(stale) s)) e);
        end if;
    end if;
    if plains is not null and (cardinality(taken) = cardinality(partition_ids)) is not true then
        select l.indexes, l.firsts, l.ends, l.heads, l.sizes
        into indexes, firsts, ends, heads, sizes
        from :api.lease_plain(
            partition_ids, group_names, lease_ids, batches, lease_seconds, is_auto_ack, plains, soles, byte_limits, at, taken) l;
        return query
        select t.index::int, 'leased', t.first, t."end", t.head, lease_seconds[t.index] * 1000::bigint, null::text,
               null::bigint[], false, t.bytes
        from unnest(indexes, firsts, ends, heads, sizes) as t (index, first, "end", head, bytes);
        taken := taken || indexes;
    end if;
    if cardinality(taken) = cardinality(partition_ids) then
        return;
    end if;

    -- Locked by a separate statement: failures read by later statements are then no older than the cursors.
    held := :api.lock_free_cursors(partition_ids, group_names, coalesce(taken, '{}'));
    if held = '{}' then
        return;
    end if;

    -- The usual partition fits the limit, has no failures and no delay, and needs no lookups.
    select l.partition_ends, l.stops, l.lasts, l.crowds, l.tries, l.due_ends, l.due_ats
    into partition_ends, stops, lasts, crowds, tries, due_ends, due_ats
    from :api.lease_limits(
        partition_ids, group_names, lease_ids, batches, delay_seconds, soles, byte_limits, is_auto_ack, held, at) l;

    with judged as (
        select i.*, c.tid, c.lease_end, r.acked, f.first, f.first > greatest(c.committed, p.tail) as is_passing,
               p.head, p.largest_line,
               :api.partition_status(c.lease_id, i.lease_id, c.lease_until, f.first, p.head, p.is_paused, c.retry_at, i.window_s,
                                p.last_push_at, at) as status,
               case
                   when c.lease_id is not null then c.lease_until
                   -- A resume notifies the servers; this retry is for a server that missed it.
                   when p.is_paused then at + interval '10 minutes'
                   when c.retry_at > at then c.retry_at
                   when i.window_s > 0 then p.last_push_at + make_interval(secs => i.window_s)
               end as until_at,
               case when c.lease_id is not null then c.lease_end
                    else coalesce(i.partition_end, :batch_end(f.first, i.batch, p.head)) end as "end",
               c.is_alone as is_held_alone
        from unnest(partition_ids, group_names, lease_ids, batches, lease_seconds, delay_seconds, window_seconds, partition_limits, soles,
                    byte_limits, partition_ends, stops, lasts, crowds, due_ends, due_ats)
             with ordinality as i (partition_id, group_name, lease_id, batch, lease_s, delay_s, window_s, partition_limit, is_sole,
                                   byte_limit, partition_end, next_stop, is_last, is_crowded, due_end_at, due_at, index)
        cross join lateral :newest_cursor_row(i.partition_id, i.group_name) c
        cross join lateral :newest_partition(i.partition_id) p
        cross join lateral (
            -- Removed messages count as finished, and are stored as acked with the lease.
            select case when p.removed is null then c.acked else coalesce(c.acked, '{}') + p.removed end as acked
        ) r
        cross join lateral (select :api.first_unfinished(c.committed, p.tail, r.acked) as first offset 0) f
        where i.index = any (held)
    ), bounded as (
        select j.*, case when j.status = 'held' then j.is_held_alone else coalesce(j.is_last, false) end as is_lone,
               case
                   when j.status <> 'ready' then j."end"
                   else least(case when j.is_last then j.first + 1 else j.next_stop end, j."end",
                              case when j.delay_s > 0 then coalesce(j.due_end_at, j.first) end)
               end as due_end
        from judged j
    ), requested as (
        -- A message that must be delivered alone is leased first in its lease id, or not at all.
        select w.*, w.is_candidate and w.is_lone and w.first_candidate is null as is_first_and_lone,
               w.is_candidate and not w.is_lone and (w.first_lone = w.first_candidate) is not true as is_shared
        from (
            select b.*, min(b.index) filter (where b.is_candidate) over earlier as first_candidate,
                   min(b.index) filter (where b.is_candidate and b.is_lone) over earlier as first_lone
            from (select b.*, b.status in ('ready', 'held') and b.due_end > b.first as is_candidate from bounded b) b
            window earlier as (partition by b.lease_id order by b.index rows between unbounded preceding and 1 preceding)
        ) w
    ), decided as (
        select g.*,
               case when not is_auto_ack then g.first
                    when g.acked is null or g.given_end <= g.first then g.given_end
                    else (select upper(r) from unnest(g.acked + int8multirange(int8range(g.first, g.given_end))) r
                          where r @> g.first) end as reached,
               g.status = 'ready' and (g.is_in_share or g.is_first_and_lone and (coalesce(g.is_sole, false) or not g.is_crowded)) as is_given,
               g.is_lone or :is_alone(g.is_sole, g.first, g.given_end, g.acked) as is_to_be_alone
        from :lease_shares(requested) g
    )
    select array_agg(d.index), array_agg(d.partition_id), array_agg(d.group_name), array_agg(d.lease_id), array_agg(d.tid), array_agg(d.first),
           array_agg(case when d.status = 'held' then d.lease_end when d.is_lone then d.due_end else d.given_end end), array_agg(d.head), array_agg(d.bytes),
           array_agg(d.acked), array_agg(d.reached),
           -- If all remaining messages were removed, the cursor moves over them, so that the partition does not look pending.
           array_agg(nullif(d.acked - int8multirange(int8range(null, case when d.is_given then d.reached else d.first end)), '{}')),
           array_agg(case when not is_auto_ack or not d.is_given then 0 else d.given_end - d.first - coalesce((
               select sum(upper(r) - lower(r)) from unnest(d.acked * int8multirange(int8range(d.first, d.given_end))) r), 0) end),
           array_agg(at + make_interval(secs => d.lease_s)), array_agg(d.is_given),
           array_agg(d.status = 'empty' and d.is_passing), array_agg(d.is_to_be_alone),
           array_agg(d.is_lone and (d.is_given or d.status = 'held')),
           array_agg(case when d.is_given or d.status = 'held' then 'leased'
                          when d.status in ('expired', 'busy', 'empty') then d.status
                          when d.status <> 'ready' or d.due_end <= d.first then 'waiting'
                          else 'spared' end),
           array_agg(case when d.is_given then d.lease_s * 1000
                          else ceil(extract(epoch from case when d.status = 'ready' then d.due_at else d.until_at end - at) * 1000)::bigint end)
    into indexes, partitions, groups, holders, places, firsts, ends, heads, sizes, finished, reached, left_over, completed, untils, given, passing, alone, lone,
         statuses, waits
    from decided d;

    perform :api.write_leases(
        is_auto_ack, at, partitions, groups, holders, places, firsts, ends, reached, left_over, completed, untils, given, passing, alone);

    return query
    select d.index::int, d.status, d.first, d."end", d.head, d.until_ms, d.acked::text, tries[d.index]::bigint[], d.is_lone, d.bytes
    from unnest(indexes, statuses, firsts, ends, heads, waits, finished, lone, sizes)
         as d (index, status, first, "end", head, until_ms, acked, is_lone, bytes);
end
$$;
