create function :api.bury(
    partition_ids uuid[], group_names text[], holders int[], message_offsets bigint[], attempts int[], errors text[], reasons text[])
returns void
language plpgsql volatile
as $$
-- Promise:  keeps a copy of each message, with the group that gave up on it and why, in words and as one of the reasons that are counted.
--           Each segment is split once, whatever number of its messages is copied.
-- Params:   partition_ids and group_names: the cursors, each once; the others: arrays of equal length, one element per message, each
--           once; holders: the positions of their cursors. The caller marks the offsets as finished.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   dead_letter, dead_letter_change
#variable_conflict use_column
declare
    letter  record;
    -- One element per cursor that has messages, and the offsets of those.
    spans   record;
    queues  uuid[] := '{}';
    why     text[] := '{}';
    evers   bigint[] := '{}';
    kepts   bigint[] := '{}';
begin
    select array_agg(s.holder) as holders, array_agg(s.wanted) as wanted
    into spans
    from (
        select i.holder, range_agg(int8range(i.message_offset, i.message_offset + 1)) as wanted
        from unnest(holders, message_offsets) as i (holder, message_offset)
        group by i.holder
    ) s;

    -- One that is there already was put back by a seek, and is written anew.
    for letter in
        select d.queue_id, d.reason
        from unnest(spans.holders, spans.wanted) as s (holder, wanted)
        join dead_letter d on d.partition_id = any (array[partition_ids[s.holder]])
                          and d.group_name = group_names[s.holder]
                          and d.message_offset >= lower(s.wanted)
                          and d.message_offset < upper(s.wanted)
        where s.wanted @> d.message_offset
    loop
        queues := queues || letter.queue_id;
        why := why || letter.reason;
        evers := evers || 0::bigint;
        kepts := kepts || -1::bigint;
    end loop;
    for letter in
        insert into dead_letter as d (
            partition_id, group_name, message_offset, queue_id, line, error, attempts, created_at, failed_at,
            partition_name, transaction_id, reason)
        select partition_ids[m.holder], group_names[m.holder], m.message_offset, p.queue_id, convert_to(m.line, 'UTF8'),
               m.error, m.attempts, m.created_at, clock_timestamp(), p.name, :api.line_transaction_id(m.line), m.reason
        from (
            -- Each message with its line, by grouping: a join might search all lines for each message.
            select e.holder, e.message_offset, max(e.attempts) as attempts, max(e.error) as error, max(e.reason) as reason,
                   max(e.line) as line, max(e.created_at) as created_at
            from (
                select i.holder, i.message_offset, i.attempts, i.error, i.reason, null::text as line, null::timestamptz as created_at
                from unnest(holders, message_offsets, attempts, errors, reasons)
                     as i (holder, message_offset, attempts, error, reason)
                union all
                select s.holder, x.base + l.position - 1, null, null, null, l.line, x.created_at
                from unnest(spans.holders, spans.wanted) as s (holder, wanted)
                cross join lateral (
                    select x.base, x.created_at, x.body
                    from segment x
                    where x.partition_id = partition_ids[s.holder]
                      and x.base < upper(s.wanted)
                      and x.base >= coalesce((
                          select b.base from segment b
                          where b.partition_id = partition_ids[s.holder] and b.base <= lower(s.wanted)
                          order by b.base desc limit 1), lower(s.wanted))
                      and s.wanted && int8range(x.base, x.base + x.count)
                    offset 0
                ) x
                cross join lateral string_to_table(rtrim(convert_from(x.body, 'UTF8'), e'\n'), e'\n') with ordinality as l (line, position)
                where s.wanted @> x.base + l.position - 1
            ) e
            group by e.holder, e.message_offset
        ) m
        cross join lateral :newest_partition(partition_ids[m.holder]) p
        where m.attempts is not null
          and m.line is not null
        on conflict (partition_id, group_name, message_offset)
        do update set error = excluded.error, attempts = excluded.attempts, failed_at = excluded.failed_at, reason = excluded.reason
        returning d.queue_id, d.reason
    loop
        queues := queues || letter.queue_id;
        why := why || letter.reason;
        evers := evers || 1::bigint;
        kepts := kepts || 1::bigint;
    end loop;
    perform :api.note_dead_letters(queues, why, evers, kepts);
end
$$;
