create function :api.bury_range(
    partition_ids uuid[], group_names text[], firsts bigint[], ends bigint[], finished int8multirange[], errors text[])
returns void
language plpgsql volatile
as $$
-- Promise:  keeps a copy of every message of each range that the group has not finished, and why it never will: it
--           waited too long, which is the only reason for which many go at once.
-- Params:   arrays of equal length; a range is first to end - 1; finished: offsets to leave out.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   queen.dead_letter, queen.dead_letter_change
#variable_conflict use_column
begin
    insert into queen.dead_letter (
        partition_id, group_name, message_offset, queue_id, line, error, attempts, created_at, failed_at,
        partition_name, transaction_id, reason)
    select i.partition_id, i.group_name, s.base + l.position - 1, p.queue_id, convert_to(l.line, 'UTF8'),
           i.error, coalesce(x.attempts, 0), s.created_at, clock_timestamp(), p.name, f.transaction_id, 'expired'
    from unnest(partition_ids, group_names, firsts, ends, finished, errors)
         as i (partition_id, group_name, first, "end", finished, error)
    join queen.partition p on p.id = any (array[i.partition_id])
    cross join lateral (
        select s.base, s.created_at, s.body
        from queen.segment s
        where s.partition_id = i.partition_id
          and s.base < i."end"
          and s.base >= coalesce(
              (select max(b.base) from queen.segment b where b.partition_id = i.partition_id and b.base <= i.first), i.first)
        offset 0
    ) s
    cross join lateral string_to_table(rtrim(convert_from(s.body, 'UTF8'), e'\n'), e'\n') with ordinality as l (line, position)
    left join lateral :api.line_fields(l.line) f on true
    left join lateral :api.failure_of(i.partition_id, i.group_name, s.base + l.position - 1) x on true
    where s.base + l.position - 1 >= i.first
      and s.base + l.position - 1 < i."end"
      and not coalesce(i.finished @> (s.base + l.position - 1), false)
    on conflict (partition_id, group_name, message_offset)
    do update set error = excluded.error, attempts = excluded.attempts, failed_at = excluded.failed_at, reason = excluded.reason;
end
$$;
