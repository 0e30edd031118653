create function :api.nack(
    partition_ids uuid[], group_names text[], lease_ids uuid[], completed text[],
    holder_indexes int[], message_offsets bigint[], statuses text[], errors text[])
returns table (index int, item_index int, is_live boolean, is_released boolean, committed bigint, acked text, is_dead boolean)
language plpgsql volatile
as $$
-- Promise:  like ack, for leases in which something went wrong. status failed: one more failed attempt, buried after
--           1 + retry_limit of them; dlq: buried at once; retry: to be delivered again, nothing counted.
--           If a message is to be delivered again, the lease ends, and the lane rests until its first message is due.
-- Params:   the holders as in ack; then one element per message that went wrong, with the position of its holder.
-- Returns:  one row per existing cursor (item_index null), and one per message that was applied.
-- Locks:    queen.cursor rows, ascending by (partition_id, group_name).
-- Writes:   queen.cursor, queen.failure, queen.dead_letter
#variable_conflict use_column
declare
    live    int[];
    items   int[];
    failed  int[];
    buried  int[];
    tries   int[];
begin
    with locked as (
        select i.index, i.lease_id as wanted_lease_id, c.lease_id, c.lease_until
        from unnest(partition_ids, group_names, lease_ids) with ordinality as i (partition_id, group_name, lease_id, index)
        join queen.cursor c on c.partition_id = any (array[i.partition_id]) and c.group_name = i.group_name
        order by i.partition_id, i.group_name
        for update of c
    )
    select coalesce(array_agg(l.index::int), '{}')
    into live
    from locked l
    where l.lease_id = l.wanted_lease_id
      and l.lease_until > clock_timestamp();

    -- Only what this lease holds and has not finished yet can go wrong.
    select coalesce(array_agg(m.index::int), '{}'), coalesce(array_agg(m.index::int) filter (where m.status = 'failed'), '{}')
    into items, failed
    from unnest(holder_indexes, message_offsets, statuses) with ordinality as m (holder, message_offset, status, index)
    join queen.cursor c on c.partition_id = any (array[partition_ids[m.holder]]) and c.group_name = group_names[m.holder]
    where m.holder = any (live)
      and m.message_offset >= c.committed
      and m.message_offset < c.lease_end
      and not coalesce(c.acked @> m.message_offset, false);

    with counted as (
        select failed[n.index] as index, n.attempts, n.is_exhausted
        from :api.count_failures(
            array(select partition_ids[holder_indexes[f]] from unnest(failed) with ordinality u (f, o) order by o),
            array(select group_names[holder_indexes[f]] from unnest(failed) with ordinality u (f, o) order by o),
            array(select message_offsets[f] from unnest(failed) with ordinality u (f, o) order by o),
            array(select errors[f] from unnest(failed) with ordinality u (f, o) order by o),
            true) n
    ), ended as (
        select n.index, n.attempts from counted n where n.is_exhausted
        union all
        select i, coalesce(x.attempts, 0) + 1
        from unnest(items) i
        left join queen.failure x on x.partition_id = any (array[partition_ids[holder_indexes[i]]])
            and x.group_name = group_names[holder_indexes[i]] and x.message_offset = message_offsets[i]
        where statuses[i] = 'dlq'
    )
    select coalesce(array_agg(e.index order by e.index), '{}'), coalesce(array_agg(e.attempts order by e.index), '{}')
    into buried, tries
    from ended e;

    perform :api.bury(
        array(select partition_ids[holder_indexes[b]] from unnest(buried) with ordinality u (b, o) order by o),
        array(select group_names[holder_indexes[b]] from unnest(buried) with ordinality u (b, o) order by o),
        array(select message_offsets[b] from unnest(buried) with ordinality u (b, o) order by o),
        tries,
        array(select errors[b] from unnest(buried) with ordinality u (b, o) order by o));

    perform from :api.advance(
        array(select h from unnest(live) with ordinality u (h, o) order by o),
        array(select partition_ids[h] from unnest(live) with ordinality u (h, o) order by o),
        array(select group_names[h] from unnest(live) with ordinality u (h, o) order by o),
        array(select completed[h]::int8multirange * int8multirange(int8range(c.committed, c.lease_end)) + coalesce((
                  select range_agg(int8range(message_offsets[b], message_offsets[b] + 1))
                  from unnest(buried) b where holder_indexes[b] = h), '{}')
              from unnest(live) with ordinality u (h, o)
              join queen.cursor c on c.partition_id = any (array[partition_ids[h]]) and c.group_name = group_names[h] order by o),
        array(select (select count(*)::int from unnest(buried) b where holder_indexes[b] = h)
              from unnest(live) with ordinality u (h, o) order by o));

    update queen.cursor c
    set lease_id = null,
        lease_until = null,
        lease_end = null,
        retry_at = (
            select x.retry_at from queen.failure x
            where x.partition_id = c.partition_id and x.group_name = c.group_name and x.message_offset = c.committed)
    from (select distinct holder_indexes[i] as h from unnest(items) i where i <> all (buried)) again
    where c.partition_id = any (array[partition_ids[again.h]])
      and c.group_name = group_names[again.h];

    return query
    select h.index::int, null::int, h.index = any (live), c.lease_id is null, c.committed, c.acked::text, false
    from unnest(partition_ids, group_names) with ordinality as h (partition_id, group_name, index)
    join queen.cursor c on c.partition_id = any (array[h.partition_id]) and c.group_name = h.group_name
    union all
    select holder_indexes[i], i, true, false, null, null, i = any (buried)
    from unnest(items) i;
end
$$;
