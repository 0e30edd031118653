create function :api.nack(
    partition_ids uuid[], group_names text[], lease_ids uuid[], completed text[],
    holder_indexes int[], message_offsets bigint[], statuses text[], errors text[])
returns table (index int, item_index int, is_live boolean, is_released boolean, committed bigint, acked text, is_dead boolean, is_busy boolean)
language plpgsql volatile
as $$
-- Promise:  like ack, for leases in which something went wrong. status failed: one more failed attempt, buried after
--           1 + retry_limit of them, whether or not it came alone: who names a message means that message; dlq: buried at once;
--           retry: to be delivered again, nothing counted. If a message is to be delivered again, the lease ends, which costs those
--           that were not named nothing, and the partition rests until its first message is due.
-- Params:   the holders as in ack; then one element per message that went wrong, with the position of its holder,
--           each message once.
-- Returns:  one row per existing cursor (item_index null), and one per message that was applied.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor, failure, dead_letter
#variable_conflict use_column
declare
    locked      bigint[] := :api.lock_free_cursors(partition_ids, group_names);
    -- Read after the locks were taken.
    at          timestamptz := clock_timestamp();
    -- By holder: whether its lease is live, and what it covers.
    are_live    boolean[];
    firsts      bigint[];
    ends        bigint[];
    ackeds      int8multirange[];
    -- The messages that count: only what a live lease holds and has not finished yet can go wrong.
    items       int[];
    holders     int[];
    offsets     bigint[];
    reasons     text[];
    kinds       text[];
    tries       int[];
    deaths      boolean[];
    -- The live leases, and what is finished in them.
    live        int[];
    finished    int8multirange[];
    dead_counts int[];
begin
    select array_agg((i.index = any (locked) and c.lease_id = i.lease_id and c.lease_until > at) is true order by i.index),
           array_agg(c.committed order by i.index), array_agg(c.lease_end order by i.index), array_agg(c.acked order by i.index)
    into are_live, firsts, ends, ackeds
    from unnest(partition_ids, group_names, lease_ids) with ordinality as i (partition_id, group_name, lease_id, index)
    left join lateral :newest_cursor(i.partition_id, i.group_name) c on true;
    select array_agg(m.index::int), array_agg(m.holder), array_agg(m.message_offset), array_agg(m.status), array_agg(m.error)
    into items, holders, offsets, kinds, reasons
    from unnest(holder_indexes, message_offsets, statuses, errors)
         with ordinality as m (holder, message_offset, status, error, index)
    where are_live[m.holder]
      and m.message_offset >= firsts[m.holder]
      and m.message_offset < ends[m.holder]
      and not coalesce(ackeds[m.holder] @> m.message_offset, false);

    select array_agg(n.attempts order by n.index), array_agg(n.is_spent order by n.index)
    into tries, deaths
    from :api.count_failures(partition_ids, group_names, holders, offsets, kinds, reasons, true) n;

    if true = any (deaths) then
        perform :api.bury(partition_ids, group_names, array_agg(d.holder), array_agg(d.message_offset),
                          array_agg(d.attempts), array_agg(d.reason),
                          array_agg(case when d.kind = 'dlq' then 'consumer' else 'retry_limit' end))
        from unnest(holders, offsets, tries, reasons, kinds, deaths) as d (holder, message_offset, attempts, reason, kind, is_dead)
        where d.is_dead;
    end if;

    with done as (
        select i.index::int, i.completed::int8multirange * int8multirange(int8range(firsts[i.index], ends[i.index])) as finished, 0 as dead
        from unnest(completed) with ordinality as i (completed, index)
        where are_live[i.index]
        union all
        select d.holder, int8multirange(int8range(d.message_offset, d.message_offset + 1)), 1
        from unnest(holders, offsets, deaths) as d (holder, message_offset, is_dead)
        where d.is_dead
    ), summed as (
        select d.index, range_agg(d.finished) as finished, sum(d.dead)::int as dead
        from done d
        group by d.index
    )
    select array_agg(s.index order by s.index), array_agg(s.finished order by s.index), array_agg(s.dead order by s.index)
    into live, finished, dead_counts
    from summed s;

    perform
    from :api.advance(
        live,
        array(select partition_ids[h] from unnest(live) with ordinality u (h, o) order by o),
        array(select group_names[h] from unnest(live) with ordinality u (h, o) order by o),
        finished, dead_counts);

    update cursor c
    set lease_id = null,
        lease_until = null,
        lease_end = null,
        retry_at = (
            select case when x.message_offset + x.message_count > c.committed then x.retry_at end
            from failure x
            where x.partition_id = c.partition_id and x.group_name = c.group_name and x.message_offset <= c.committed
            order by x.message_offset desc
            limit 1),
        :written(c)
    from (
        select distinct d.holder from unnest(holders, deaths) as d (holder, is_dead) where not d.is_dead
    ) again
    cross join lateral :newest_cursor_row(partition_ids[again.holder], group_names[again.holder]) n
    where c.ctid = n.tid;

    return query
    select h.index::int, null::int, h.index = any (coalesce(live, '{}')), c.lease_id is null, c.committed, c.acked::text, false,
           h.index <> all (locked)
    from unnest(partition_ids, group_names) with ordinality as h (partition_id, group_name, index)
    cross join lateral :newest_cursor(h.partition_id, h.group_name) c
    union all
    select d.holder, d.item, true, false, null, null, d.is_dead, false
    from unnest(holders, items, deaths) as d (holder, item, is_dead);
end
$$;
