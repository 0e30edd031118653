create function :api.count_failures(
    partition_ids uuid[], group_names text[], cursor_indexes int[], message_offsets bigint[], statuses text[], errors text[], is_delayed boolean)
returns table (index int, attempts int, is_spent boolean)
language plpgsql volatile
as $$
-- Promise:  counts failed deliveries of unfinished messages. Status failed: one more failed delivery; dlq: one more, and it was the last;
--           retry: nothing is counted. With is_delayed a failed message is due again after the retry delay of the queue, multiplied by its
--           retry backoff once per earlier failure, up to 15 minutes (or the retry delay, if that is longer). Adjacent messages with equal
--           failures are stored as one run. The cost is linear in the number of messages: stored runs and new failures are merged by
--           sorting, never by a search per message.
-- Params:   partition_ids, group_names: the cursors, each once, whose rows the caller has locked; the other arrays have equal length, one
--           element per message; cursor_indexes: the position of the cursor of each message.
-- Returns:  one row per message; is_spent: the message has used all of its 1 + retry_limit attempts.
-- Locks:    none of its own.
-- Writes:   failure, cursor (is_failing)
#variable_conflict use_column
declare
    at              timestamptz := clock_timestamp();
    -- By cursor: the options of its queue, and its finished offsets.
    retry_limits    int[];
    retry_delays    int[];
    retry_backoffs  double precision[];
    committeds      bigint[];
    ackeds          int8multirange[];
    -- The stored runs that overlap the messages.
    known           record;
    -- Every message of those runs and of this call; positions: in the input, null for other messages; are_kept: the message has failures.
    merged          record;
    tries           int[];
begin
    select array_agg(q.retry_limit order by i.index), array_agg(q.retry_delay_ms order by i.index),
           array_agg(q.retry_backoff order by i.index), array_agg(c.committed order by i.index), array_agg(c.acked order by i.index)
    into retry_limits, retry_delays, retry_backoffs, committeds, ackeds
    from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
    left join lateral :newest_partition(i.partition_id) p on true
    left join lateral :newest_cursor(i.partition_id, i.group_name) c on true
    left join queue q on q.id = any (array[p.queue_id]);

    update cursor c
    set is_failing = true,
        :written(c)
    from (
        select distinct i.cursor_index from unnest(cursor_indexes, statuses) as i (cursor_index, status) where i.status = 'failed'
    ) i
    cross join lateral :newest_cursor_row(partition_ids[i.cursor_index], group_names[i.cursor_index]) n
    where c.ctid = n.tid
      and not n.is_failing;

    -- Stored runs that overlap new failures are deleted and inserted again in pieces. Runs do not overlap, so the search starts at the last
    -- run that begins at or before the first message.
    with reach as (
        select i.cursor_index, partition_ids[i.cursor_index] as partition_id, group_names[i.cursor_index] as group_name, min(i.message_offset) as first,
               max(i.message_offset) as last
        from unnest(cursor_indexes, message_offsets) as i (cursor_index, message_offset)
        group by i.cursor_index
    ), gone as (
        delete from failure x
        using reach r
        where x.partition_id = any (array[r.partition_id])
          and x.group_name = r.group_name
          and x.message_offset <= r.last
          and x.message_offset >= coalesce((
              select b.message_offset from failure b
              where b.partition_id = r.partition_id and b.group_name = r.group_name and b.message_offset <= r.first
              order by b.message_offset desc limit 1), r.first)
          and x.message_offset + x.message_count > r.first
        returning r.cursor_index, x.message_offset, x.message_count, x.attempts, x.error, x.retry_at, x.failed_at
    )
    select array_agg(g.cursor_index) as cursor_indexes, array_agg(g.message_offset) as offsets, array_agg(g.message_count) as counts,
           array_agg(g.attempts) as tries, array_agg(g.error) as errors, array_agg(g.retry_at) as retries,
           array_agg(g.failed_at) as failed_ats
    into known
    from gone g;

    -- Values are carried through the sort. Reading them from the arrays by position would scan an array of texts for each.
    select array_agg(m.cursor_index) as cursor_indexes, array_agg(m.message_offset) as offsets, array_agg(m.position) as positions,
           array_agg(m.attempts) as attempts, array_agg(m.error) as errors, array_agg(m.retry_at) as retries,
           array_agg(m.failed_at) as failed_ats, array_agg(m.is_kept) as are_kept
    into merged
    from (
        select m.cursor_index, m.message_offset, m.position, m.attempts, m.is_failed or m.was_tried as is_kept,
               case when m.is_failed then m.item_error else m.error end as error,
               case when not m.is_failed then m.retry_at
                    when is_delayed and retry_delays[m.cursor_index] > 0 then at + interval '1 ms' * least(
                   -- The exponent is limited, so that the result does not overflow. From a backoff of 1.1 on, 200 factors exceed 15 minutes.
                   retry_delays[m.cursor_index] * power(retry_backoffs[m.cursor_index], least(m.attempts - 1, 200)),
                   greatest(retry_delays[m.cursor_index], 900000)) end as retry_at,
               case when m.is_failed then at else m.failed_at end as failed_at
        from (
            select e.cursor_index, e.message_offset, max(e.position) as position, max(e.item_error) as item_error,
                   coalesce(max(e.status) = 'failed', false) as is_failed, max(e.attempts) is not null as was_tried,
                   coalesce(max(e.attempts), 0) + case when max(e.status) in ('failed', 'dlq') then 1 else 0 end as attempts,
                   max(e.error) as error, max(e.retry_at) as retry_at, max(e.failed_at) as failed_at
            from (
                select i.cursor_index, i.message_offset, i.index::int as position, i.status, i.error as item_error, null::int as attempts,
                       null::text as error, null::timestamptz as retry_at, null::timestamptz as failed_at
                from unnest(cursor_indexes, message_offsets, statuses, errors)
                     with ordinality as i (cursor_index, message_offset, status, error, index)
                union all
                select k.cursor_index, k.message_offset + o, null, null, null, k.attempts, k.error, k.retry_at, k.failed_at
                from unnest(known.cursor_indexes, known.offsets, known.counts, known.tries, known.errors, known.retries, known.failed_ats)
                     as k (cursor_index, message_offset, message_count, attempts, error, retry_at, failed_at)
                cross join lateral generate_series(0, k.message_count - 1) o
                where k.message_offset + o >= committeds[k.cursor_index]
                  and not coalesce(ackeds[k.cursor_index] @> (k.message_offset + o), false)
            ) e
            group by e.cursor_index, e.message_offset
        ) m
    ) m;

    insert into failure (partition_id, group_name, message_offset, message_count, attempts, error, retry_at, failed_at)
    select r.*
    from (
        select partition_ids[m.cursor_index], group_names[m.cursor_index], min(m.message_offset), count(*)::int, min(m.attempts), min(m.error),
               min(m.retry_at), min(m.failed_at)
        from (
            select m.*, count(*) filter (where m.is_first) over (order by m.cursor_index, m.message_offset) as run
            from (
                select m.*, (lag(m.cursor_index) over w = m.cursor_index and lag(m.message_offset) over w = m.message_offset - 1
                             and lag(m.attempts) over w = m.attempts and lag(m.error) over w is not distinct from m.error
                             and lag(m.retry_at) over w is not distinct from m.retry_at
                             and lag(m.failed_at) over w = m.failed_at) is not true as is_first
                from unnest(merged.cursor_indexes, merged.offsets, merged.attempts, merged.errors, merged.retries, merged.failed_ats,
                            merged.are_kept)
                     as m (cursor_index, message_offset, attempts, error, retry_at, failed_at, is_kept)
                where m.is_kept
                window w as (order by m.cursor_index, m.message_offset)
            ) m
        ) m
        group by m.cursor_index, m.run
    ) r
    -- Reading a table of the shard makes Citus insert on the right node.
    cross join (select 1 from depth_turn d order by d.generation desc limit 1) t;
    select array_agg(m.attempts order by m.position) into tries
    from unnest(merged.positions, merged.attempts) as m (position, attempts)
    where m.position is not null;

    return query
    select i.index::int, i.attempts, i.status = 'dlq' or i.status = 'failed' and i.attempts > retry_limits[i.cursor_index]
    from unnest(cursor_indexes, statuses, tries) with ordinality as i (cursor_index, status, attempts, index);
end
$$;
