create function :api.bury(
    partition_ids uuid[], group_names text[], message_offsets bigint[], attempts int[], errors text[], reasons text[])
returns void
language plpgsql volatile
as $$
-- Promise:  keeps a copy of each message, with the group that gave up on it and why, in words and as one of the reasons that are counted.
-- Params:   arrays of equal length; the caller marks the offsets as finished.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   dead_letter, dead_letter_change
#variable_conflict use_column
declare
    letter  record;
    queues  uuid[] := '{}';
    why     text[] := '{}';
    evers   bigint[] := '{}';
    kepts   bigint[] := '{}';
begin
    -- One that is there already was put back by a seek, and is written anew.
    for letter in
        select d.queue_id, d.reason
        from unnest(partition_ids, group_names, message_offsets) as i (partition_id, group_name, message_offset)
        join dead_letter d on d.partition_id = any (array[i.partition_id])
                          and d.group_name = i.group_name
                          and d.message_offset = i.message_offset
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
        select i.partition_id, i.group_name, i.message_offset, p.queue_id, convert_to(l.line, 'UTF8'),
               i.error, i.attempts, s.created_at, clock_timestamp(), p.name, f.transaction_id, i.reason
        from unnest(partition_ids, group_names, message_offsets, attempts, errors, reasons)
             as i (partition_id, group_name, message_offset, attempts, error, reason)
        cross join lateral (select v.* from partition v where v.id = i.partition_id order by v.generation desc limit 1) p
        cross join lateral (
            select s.base, s.count, s.created_at, s.body
            from segment s
            where s.partition_id = i.partition_id and s.base <= i.message_offset
            order by s.base desc
            limit 1
        ) s
        cross join lateral (
            select split_part(convert_from(s.body, 'UTF8'), e'\n', (i.message_offset - s.base + 1)::int) as line
        ) l
        left join lateral :api.line_fields(l.line) f on true
        where i.message_offset < s.base + s.count
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
