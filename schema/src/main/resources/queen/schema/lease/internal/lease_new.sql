create function :api.lease_new(
    partition_ids uuid[], group_names text[], lease_ids uuid[], batches int[], lease_seconds int[],
    delay_seconds int[], window_seconds int[], partition_limits int[], is_auto_ack boolean,
    plains boolean[], soles boolean[], byte_limits bigint[], opens boolean[], from_ats timestamptz[], at timestamptz,
    out settled bigint[], out indexes bigint[], out statuses text[], out firsts bigint[], out ends bigint[], out heads bigint[],
    out sizes bigint[], out stale bigint[])
language plpgsql volatile
set lock_timeout = '5ms'
as $$
-- Promise:  creates the missing cursors of groups in partitions, as open_cursors does, if that needs no wait. Partitions are left to
--           open_cursors if they are locked, if their queue has a maxSize or is being deleted, and all of them if another transaction is
--           creating one of the cursors and does not end in a moment. A lease id that requests only such new partitions, none of them
--           unusual, is leased as lease does: the cursor is inserted with its lease and not written twice.
-- Params:   as in lease; at: the time at which leases begin.
-- Returns:  settled: the input positions of the rows of such lease ids; this call decides nothing more about them. The others are arrays of
--           equal length with the result of lease for them, without cursors that another transaction has created. stale: the input
--           positions of new cursors whose first message has expired; they must be evicted before they are leased.
-- Locks:    partition rows, then queen.queue rows, for key share, never waiting, so that no cursor outlives its partition; then the new
--           cursor_key and cursor rows, ascending by (partition_id, group_name), waiting for a moment only (lock_timeout).
-- Writes:   cursor, cursor_key, lease_partitions, queen.subscription (of consumers without a group), touched_partitions
#variable_conflict use_column
declare
    -- By input position, null if no cursor is created.
    queues      uuid[];
    tails       bigint[];
    tops        bigint[];
    lines       int[];
    usual       boolean[];
    places      bigint[];
    kept        uuid[];
    queue_count bigint;
    -- The queues with expiry, and their age limits in seconds.
    expiring    uuid[];
    ages        int[];
    -- One element per new cursor.
    positions   bigint[];
    new_ids     uuid[];
    groups      text[];
    starts      bigint[];
    holders     uuid[];
    untils      timestamptz[];
    lease_ends  bigint[];
    alone       boolean[];
    completed   bigint[];
    results     text[];
    given_ends  bigint[];
    weights     bigint[];
    added       bigint[];
begin
    -- A key without a cursor, as after a restore of some tables, is left to open_cursors.
    select array_agg(l.queue_id), array_agg(l.tail), array_agg(l.head), array_agg(l.largest_line), array_agg(l.is_usual)
    into queues, tails, tops, lines, usual
    from (
        select p.*
        from (
            select i.*, i.is_opened and not exists (
                select 1 from cursor_key k where k.partition_id = i.partition_id and k.group_name = i.group_name offset 0) as is_absent
            from unnest(partition_ids, group_names, opens) with ordinality as i (partition_id, group_name, is_opened, index)
            order by i.partition_id, i.group_name
        ) i
        left join lateral (
            select p.queue_id, p.tail, p.head, p.largest_line, p.removed is null and not p.is_paused as is_usual
            from partition p
            where p.id = i.partition_id
              and i.is_absent
            order by p.generation desc
            limit 1
            for key share skip locked
        ) p on true
        order by i.index
    ) l;
    -- The order differs from open_cursors, which is safe because these locks never wait.
    select array_agg(i.id) filter (where not i.is_limited), count(*), array_agg(i.id) filter (where i.age is not null),
           array_agg(i.age) filter (where i.age is not null)
    into kept, queue_count, expiring, ages
    from (
        select q.id, exists (select 1 from queue_size z where z.queue_id = q.id offset 0) as is_limited,
               (select :api.eviction_age(v.max_wait_time_s, v.ttl_s) from queue v where v.id = q.id) as age
        from (select distinct u.id from unnest(queues) as u (id) where u.id is not null) q
    ) i;
    if kept is null then
        return;
    end if;
    kept := :api.lock_queues(kept);
    if cardinality(kept) < queue_count then
        queues := array(
            select case when i.id = any (kept) then i.id end from unnest(queues) with ordinality as i (id, index) order by i.index);
    end if;
    places := :api.start_offsets(partition_ids, queues, group_names, from_ats, tails, tops);
    if expiring is not null then
        stale := array(
            select i.index
            from unnest(partition_ids, queues, places, tails, tops)
                 with ordinality as i (partition_id, queue_id, place, tail, head, index)
            join unnest(expiring, ages) as e (queue_id, age) on e.queue_id = i.queue_id
            cross join lateral (
                select s.created_at from segment s
                where s.partition_id = i.partition_id and s.base <= greatest(i.place, i.tail)
                order by s.base desc limit 1
            ) s
            where greatest(i.place, i.tail) < i.head
              and s.created_at <= at - make_interval(secs => e.age));
    end if;

    -- Decides as lease does. A partition without a cursor has no failures and no out-of-order acks.
    with candidate as (
        select i.*, :batch_end(i.first, i.batch, i.head) as due_end
        from (
            select i.*, greatest(i.place, i.tail) as first
            from unnest(partition_ids, group_names, lease_ids, batches, lease_seconds, delay_seconds, window_seconds, partition_limits, soles,
                        byte_limits, places, tails, tops, lines, usual)
                 with ordinality as i (partition_id, group_name, lease_id, batch, lease_s, delay_s, window_s, partition_limit, is_sole,
                                       byte_limit, place, tail, head, largest_line, is_usual_partition, index)
        ) i
    ), judged as (
        select l.*,
               bool_and((l.place is not null and l.is_usual_partition and l.index <> all (coalesce(stale, '{}'))
                         and l.delay_s = 0 and l.window_s = 0 and l.due_end > l.first
                         and :fits(l.first, l.due_end, l.largest_line, l.byte_limit)) is true)
                   over (partition by l.lease_id) as is_shared
        from candidate l
    ), decided as (
        select g.* from :lease_shares(judged) g where g.place is not null
    )
    select array_agg(d.index), array_agg(d.partition_id), array_agg(d.group_name),
           array_agg(case when not d.is_in_share then d.place when is_auto_ack then d.given_end else d.first end),
           array_agg(case when d.is_in_share and not is_auto_ack then d.lease_id end),
           array_agg(case when d.is_in_share and not is_auto_ack then at + make_interval(secs => d.lease_s) end),
           array_agg(case when d.is_in_share and not is_auto_ack then d.given_end end),
           array_agg(d.is_in_share and :is_alone(d.is_sole, d.first, d.given_end, null)),
           array_agg(case when d.is_in_share and is_auto_ack then d.given_end - d.first else 0 end),
           array_agg(case when d.is_shared then case when d.is_in_share then 'leased' else 'spared' end end),
           array_agg(d.index) filter (where d.is_shared), array_agg(d.first), array_agg(d.given_end), array_agg(d.head), array_agg(d.bytes)
    into positions, new_ids, groups, starts, holders, untils, lease_ends, alone, completed, results, settled, firsts, given_ends, heads, weights
    from decided d;
    if new_ids is null then
        return;
    end if;

    added := :api.insert_cursors(new_ids, groups, starts, holders, untils, lease_ends, alone, completed, at);
    if cardinality(added) = cardinality(new_ids) and cardinality(settled) = cardinality(new_ids) then
        indexes := positions;
        statuses := results;
        ends := given_ends;
        sizes := weights;
    else
        select array_agg(i.index), array_agg(i.status), array_agg(i.first), array_agg(i."end"), array_agg(i.head), array_agg(i.bytes)
        into indexes, statuses, firsts, ends, heads, sizes
        from unnest(positions, results, firsts, given_ends, heads, weights)
             with ordinality as i (index, status, first, "end", head, bytes, place)
        where i.status is not null
          and i.place = any (added);
        holders := array(
            select case when i.index = any (added) then i.id end from unnest(holders) with ordinality as i (id, index) order by i.index);
    end if;
    if (true = all (plains)) is not true then
        perform :api.record_lease_partitions(new_ids, holders);
    end if;
    if '__QUEUE_MODE__' = any (groups) then
        perform :api.subscribe_queue_mode(array(
            select distinct i.queue_id from unnest(queues, group_names) as i (queue_id, group_name)
            where i.group_name = '__QUEUE_MODE__' and i.queue_id is not null));
    end if;
exception when lock_not_available then
    select null, null, null, null, null, null, null, null into settled, indexes, statuses, firsts, ends, heads, sizes, stale;
end
$$;
