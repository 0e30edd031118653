create function :api.nack(
    partition_ids uuid[], group_names text[], lease_ids uuid[], completed text[],
    message_lease_indexes int[], message_offsets bigint[], statuses text[], errors text[])
returns table (index int, item_index int, is_live boolean, is_released boolean, committed bigint, acked text, is_dead boolean, is_busy boolean)
language plpgsql volatile
as $$
-- Promise:  does what ack does, for leases with failed messages. Status failed: one more failed attempt; after 1 + retry_limit attempts the
--           message is dead-lettered, no matter how many messages the lease had, because the status names this message. dlq: dead-lettered
--           at once. retry: redelivered, nothing is counted. If a message is to be redelivered, the lease ends without a charge for the
--           other messages, and the partition is not leased until its first message is due.
-- Params:   leases as in ack; then one element per failed message, each message once, with the position of its lease.
-- Returns:  one row per existing cursor (item_index is null), and one per message whose status was applied.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor, failure, dead_letter
#variable_conflict use_column
declare
    locked          bigint[] := :api.lock_free_cursors(partition_ids, group_names);
    -- Must be read after the locks are taken.
    at              timestamptz := clock_timestamp();
    -- By lease: whether it is live, and its range.
    are_live        boolean[];
    firsts          bigint[];
    ends            bigint[];
    ackeds          int8multirange[];
    -- The messages to which the statuses are applied: only unfinished messages of a live lease.
    items           int[];
    lease_indexes   int[];
    offsets         bigint[];
    reasons         text[];
    kinds           text[];
    tries           int[];
    are_dead        boolean[];
    -- The live leases, and the offsets finished in them.
    live            int[];
    finished        int8multirange[];
    dead_counts     int[];
begin
    select array_agg((i.index = any (locked) and c.lease_id = i.lease_id and c.lease_until > at) is true order by i.index),
           array_agg(c.committed order by i.index), array_agg(c.lease_end order by i.index), array_agg(c.acked order by i.index)
    into are_live, firsts, ends, ackeds
    from unnest(partition_ids, group_names, lease_ids) with ordinality as i (partition_id, group_name, lease_id, index)
    left join lateral :newest_cursor(i.partition_id, i.group_name) c on true;
    select array_agg(m.index::int), array_agg(m.lease_index), array_agg(m.message_offset), array_agg(m.status), array_agg(m.error)
    into items, lease_indexes, offsets, kinds, reasons
    from unnest(message_lease_indexes, message_offsets, statuses, errors)
         with ordinality as m (lease_index, message_offset, status, error, index)
    where are_live[m.lease_index]
      and m.message_offset >= firsts[m.lease_index]
      and m.message_offset < ends[m.lease_index]
      and not coalesce(ackeds[m.lease_index] @> m.message_offset, false);

    select array_agg(n.attempts order by n.index), array_agg(n.is_spent order by n.index)
    into tries, are_dead
    from :api.count_failures(partition_ids, group_names, lease_indexes, offsets, kinds, reasons, true) n;

    if true = any (are_dead) then
        perform :api.insert_dead_letters(partition_ids, group_names, array_agg(d.lease_index), array_agg(d.message_offset),
                                         array_agg(d.attempts), array_agg(d.reason),
                                         array_agg(case when d.kind = 'dlq' then 'consumer' else 'retry_limit' end))
        from unnest(lease_indexes, offsets, tries, reasons, kinds, are_dead) as d (lease_index, message_offset, attempts, reason, kind, is_dead)
        where d.is_dead;
    end if;

    with done as (
        select i.index::int, i.completed::int8multirange * int8multirange(int8range(firsts[i.index], ends[i.index])) as finished, 0 as dead
        from unnest(completed) with ordinality as i (completed, index)
        where are_live[i.index]
        union all
        select d.lease_index, int8multirange(int8range(d.message_offset, d.message_offset + 1)), 1
        from unnest(lease_indexes, offsets, are_dead) as d (lease_index, message_offset, is_dead)
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
        select distinct d.lease_index from unnest(lease_indexes, are_dead) as d (lease_index, is_dead) where not d.is_dead
    ) again
    cross join lateral :newest_cursor_row(partition_ids[again.lease_index], group_names[again.lease_index]) n
    where c.ctid = n.tid;

    return query
    select h.index::int, null::int, h.index = any (coalesce(live, '{}')), c.lease_id is null, c.committed, c.acked::text, false,
           h.index <> all (locked)
    from unnest(partition_ids, group_names) with ordinality as h (partition_id, group_name, index)
    cross join lateral :newest_cursor(h.partition_id, h.group_name) c
    union all
    select d.lease_index, d.item, true, false, null, null, d.is_dead, false
    from unnest(lease_indexes, items, are_dead) as d (lease_index, item, is_dead);
end
$$;
