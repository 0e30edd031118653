create function :api.expire(partition_ids uuid[], group_names text[])
returns table (index int, is_dead boolean)
language plpgsql volatile
as $$
-- Promise:  ends expired leases. The message that caused the expiry is unknown, so every unfinished message of the lease is charged one
--           failed delivery, unless the holder declared that it waits (kept_lease_id), or is a stream runner that read state and sent no
--           cycle (exempt_readers). A message without attempts left, after 1 + retry_limit of them, is dead-lettered if it was alone in the
--           lease. Otherwise another message may have caused the expiry, so it gets one more attempt, which lease makes alone. There is no
--           delay before the next attempt: the lease itself was the delay.
-- Params:   arrays of equal length, each (partition, group) once.
-- Returns:  the input position of each lease that was ended, and whether a message was dead-lettered.
-- Locks:    cursor rows, ascending by (partition_id, group_name), and what exempt_readers locks, never waiting.
-- Writes:   cursor, failure, dead_letter, stream_partition
#variable_conflict use_column
declare
    reason          constant text := 'the lease ran out before the message was acknowledged';
    locked          bigint[] := :api.lock_free_cursors(partition_ids, group_names);
    -- Must be read after the locks are taken.
    at              timestamptz := clock_timestamp();
    overdue         int[];
    places          tid[];
    spared          int[];
    -- The messages that are charged an attempt.
    cursor_indexes  int[];
    offsets         bigint[];
    are_alone       boolean[];
    -- The messages that are dead-lettered, at most one per lease.
    exhausted       int[];
    partitions      uuid[];
    groups          text[];
    tries           int[];
begin
    select array_agg(i.index), array_agg(c.tid) into overdue, places
    from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
    cross join lateral :newest_cursor_row(i.partition_id, i.group_name) c
    where i.index = any (locked)
      and c.lease_id is not null
      and c.lease_until <= at;
    if overdue is null then
        return;
    end if;
    spared := :api.exempt_readers(overdue, partition_ids, group_names, at);

    select array_agg(m.index), array_agg(m.message_offset), array_agg(m.is_alone)
    into cursor_indexes, offsets, are_alone
    from (
        -- A server of the previous release does not update is_alone, so the messages are counted, too.
        select o.index, m.message_offset, c.is_alone and count(*) over (partition by o.index) = 1 as is_alone
        from unnest(overdue) as o (index)
        cross join lateral :newest_cursor(partition_ids[o.index], group_names[o.index]) c
        cross join lateral :newest_partition(partition_ids[o.index]) p
        cross join lateral unnest(
            -- Messages may have been removed since the lease was acquired.
            int8multirange(int8range(greatest(c.committed, p.tail), greatest(c.lease_end, c.committed, p.tail)))
            - coalesce(c.acked, '{}') - coalesce(p.removed, '{}')) as r (run)
        cross join lateral generate_series(lower(r.run), upper(r.run) - 1) as m (message_offset)
        where c.lease_id is distinct from c.kept_lease_id
          and o.index <> all (spared)
    ) m;

    update cursor c
    set lease_id = null,
        lease_until = null,
        lease_end = null,
        retry_at = null,
        :written(c)
    from unnest(places) as n (tid)
    where c.ctid = n.tid;

    if offsets is not null then
        select array_agg(cursor_indexes[n.index]), array_agg(n.attempts), array_agg(partition_ids[cursor_indexes[n.index]]),
               array_agg(group_names[cursor_indexes[n.index]]), array_agg(offsets[n.index])
        into exhausted, tries, partitions, groups, offsets
        from :api.count_failures(
            partition_ids, group_names, cursor_indexes, offsets, array_fill('failed'::text, array[cardinality(offsets)]),
            array_fill(reason, array[cardinality(offsets)]), false) n
        where n.is_spent
          and are_alone[n.index];
    end if;

    if exhausted is not null then
        perform :api.insert_dead_letters(partition_ids, group_names, exhausted, offsets, tries, array_fill(reason, array[cardinality(exhausted)]),
                                         array_fill('lease_expired'::text, array[cardinality(exhausted)]));
        perform from :api.advance(
            exhausted, partitions, groups,
            array(select int8multirange(int8range(m, m + 1)) from unnest(offsets) with ordinality u (m, o) order by o),
            array_fill(1, array[cardinality(exhausted)]));
    end if;

    return query
    select o.index, o.index = any (coalesce(exhausted, '{}'))
    from unnest(overdue) as o (index);
end
$$;
