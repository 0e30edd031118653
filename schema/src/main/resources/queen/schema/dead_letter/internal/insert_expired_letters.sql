create function :api.insert_expired_letters(
    partition_ids uuid[], group_names text[], firsts bigint[], ends bigint[], finished int8multirange[], errors text[])
returns void
language plpgsql volatile
as $$
-- Promise:  stores a copy of every unfinished message of each range as a dead letter with the reason expired, the only reason that applies
--           to ranges.
-- Params:   arrays of equal length; a range is first to end - 1; finished: offsets to leave out.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   dead_letter, dead_letter_change
#variable_conflict use_column
declare
    letter          record;
    queues          uuid[] := '{}';
    reasons_changed text[] := '{}';
    evers           bigint[] := '{}';
    kepts           bigint[] := '{}';
begin
    -- An existing dead letter means that a seek made the message deliverable again; it is replaced.
    for letter in
        select d.queue_id, d.reason
        from unnest(partition_ids, group_names, firsts, ends, finished) as i (partition_id, group_name, first, "end", finished)
        join dead_letter d on d.partition_id = any (array[i.partition_id])
                          and d.group_name = i.group_name
                          and d.message_offset >= i.first
                          and d.message_offset < i."end"
        where not coalesce(i.finished @> d.message_offset, false)
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
        select i.partition_id, i.group_name, s.base + l.position - 1, p.queue_id, convert_to(l.line, 'UTF8'),
               i.error, coalesce(x.attempts, 0), s.created_at, clock_timestamp(), p.name, :api.line_transaction_id(l.line), 'expired'
        from unnest(partition_ids, group_names, firsts, ends, finished, errors)
             as i (partition_id, group_name, first, "end", finished, error)
        join partition p on p.id = any (array[i.partition_id])
        cross join lateral (
            select s.base, s.created_at, s.body
            from segment s
            where s.partition_id = i.partition_id
              and s.base < i."end"
              and s.base >= coalesce(
                  (select max(b.base) from segment b where b.partition_id = i.partition_id and b.base <= i.first), i.first)
            offset 0
        ) s
        cross join lateral string_to_table(rtrim(convert_from(s.body, 'UTF8'), e'\n'), e'\n') with ordinality as l (line, position)
        left join lateral (
            select case when x.message_offset + x.message_count > s.base + l.position - 1 then x.attempts end as attempts
            from failure x
            where x.partition_id = i.partition_id and x.group_name = i.group_name and x.message_offset <= s.base + l.position - 1
            order by x.message_offset desc
            limit 1
        ) x on true
        where s.base + l.position - 1 >= i.first
          and s.base + l.position - 1 < i."end"
          and not coalesce(i.finished @> (s.base + l.position - 1), false)
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
