create function :api.insert_dead_letters(
    partition_ids uuid[], group_names text[], cursor_indexes int[], message_offsets bigint[], attempts int[], errors text[], reasons text[])
returns void
language plpgsql volatile
as $$
-- Promise:  stores a copy of each message as a dead letter, with the group, the error text, and one of the counted reasons. Each segment is
--           split once, no matter how many of its messages are copied.
-- Params:   partition_ids, group_names: the cursors, each once; the other arrays have equal length, one element per message, each once;
--           cursor_indexes: the position of the cursor of each message. The caller marks the offsets as finished.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   dead_letter, dead_letter_change
#variable_conflict use_column
declare
    letter          record;
    -- One element per cursor with messages, and their offsets.
    spans           record;
    queues          uuid[] := '{}';
    reasons_changed text[] := '{}';
    evers           bigint[] := '{}';
    kepts           bigint[] := '{}';
begin
    select array_agg(s.cursor_index) as cursor_indexes, array_agg(s.wanted) as wanted
    into spans
    from (
        select i.cursor_index, range_agg(int8range(i.message_offset, i.message_offset + 1)) as wanted
        from unnest(cursor_indexes, message_offsets) as i (cursor_index, message_offset)
        group by i.cursor_index
    ) s;

    -- An existing dead letter means that a seek made the message deliverable again; it is replaced.
    for letter in
        select d.queue_id, d.reason
        from unnest(spans.cursor_indexes, spans.wanted) as s (cursor_index, wanted)
        join dead_letter d on d.partition_id = any (array[partition_ids[s.cursor_index]])
                          and d.group_name = group_names[s.cursor_index]
                          and d.message_offset >= lower(s.wanted)
                          and d.message_offset < upper(s.wanted)
        where s.wanted @> d.message_offset
    loop
        queues := queues || letter.queue_id;
        reasons_changed := reasons_changed || letter.reason;
        evers := evers || 0::bigint;
        kepts := kepts || -1::bigint;
    end loop;
    for letter in
        insert into dead_letter as d (
            partition_id, group_name, message_offset, queue_id, line, error, attempts, created_at, failed_at,
            partition_name, transaction_id, reason)
        select partition_ids[m.cursor_index], group_names[m.cursor_index], m.message_offset, p.queue_id, convert_to(m.line, 'UTF8'),
               m.error, m.attempts, m.created_at, clock_timestamp(), p.name, :api.line_transaction_id(m.line), m.reason
        from (
            -- Joins messages with their lines by grouping: a join might search all lines for each message.
            select e.cursor_index, e.message_offset, max(e.attempts) as attempts, max(e.error) as error, max(e.reason) as reason,
                   max(e.line) as line, max(e.created_at) as created_at
            from (
                select i.cursor_index, i.message_offset, i.attempts, i.error, i.reason, null::text as line, null::timestamptz as created_at
                from unnest(cursor_indexes, message_offsets, attempts, errors, reasons)
                     as i (cursor_index, message_offset, attempts, error, reason)
                union all
                select s.cursor_index, x.base + l.position - 1, null, null, null, l.line, x.created_at
                from unnest(spans.cursor_indexes, spans.wanted) as s (cursor_index, wanted)
                cross join lateral (
                    select x.base, x.created_at, x.body
                    from segment x
                    where x.partition_id = partition_ids[s.cursor_index]
                      and x.base < upper(s.wanted)
                      and x.base >= coalesce((
                          select b.base from segment b
                          where b.partition_id = partition_ids[s.cursor_index] and b.base <= lower(s.wanted)
                          order by b.base desc limit 1), lower(s.wanted))
                      and s.wanted && int8range(x.base, x.base + x.count)
                    offset 0
                ) x
                cross join lateral string_to_table(rtrim(convert_from(x.body, 'UTF8'), e'\n'), e'\n') with ordinality as l (line, position)
                where s.wanted @> x.base + l.position - 1
            ) e
            group by e.cursor_index, e.message_offset
        ) m
        cross join lateral :newest_partition(partition_ids[m.cursor_index]) p
        where m.attempts is not null
          and m.line is not null
        on conflict (partition_id, group_name, message_offset)
        do update set error = excluded.error, attempts = excluded.attempts, failed_at = excluded.failed_at, reason = excluded.reason
        returning d.queue_id, d.reason
    loop
        queues := queues || letter.queue_id;
        reasons_changed := reasons_changed || letter.reason;
        evers := evers || 1::bigint;
        kepts := kepts || 1::bigint;
    end loop;
    perform :api.record_dead_letter_changes(queues, reasons_changed, evers, kepts);
end
$$;
