create function :api.failures_ahead(
    partition_id uuid, group_name text, first bigint, "end" bigint, finished int8multirange, is_held boolean,
    is_auto_ack boolean, at timestamptz)
returns table (is_last boolean, next_stop bigint, attempts bigint[])
language plpgsql stable
as $$
-- Promise:  what earlier failures mean for a delivery that begins at first. A message has its last attempt before it when one more
--           failure makes it a dead letter, or it was dead already had it been delivered alone. With is_auto_ack there is no such
--           message: what is finished when it is given can be blamed for nothing. A message that is to be given alone is decided by its
--           own run: the time for each of many such messages does not depend on how many there are.
-- Params:   the partition and the group; the range that is to be given, or is_held: that was given; what is finished ahead of the cursor;
--           at: the present moment.
-- Returns:  one row. is_last: the first message has its last attempt before it. next_stop: the first unfinished message behind it of
--           which that is true, or which is not due yet; null when there is none, or when the first message is to be given alone.
--           attempts: three numbers for each run of messages that failed alike, its first offset, its end and how often; null when
--           nothing failed.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    last_from   int := (
        select case when not is_auto_ack then greatest(q.retry_limit, 1) end
        from :newest_partition(failures_ahead.partition_id) p
        join queue q on q.id = any (array[p.queue_id]));
    -- The run of the first message, if that failed.
    own         bigint[];
begin
    select array[x.message_offset, x.message_offset + x.message_count, x.attempts]
    into own
    from failure x
    where x.partition_id = failures_ahead.partition_id
      and x.group_name = failures_ahead.group_name
      and x.message_offset <= failures_ahead.first
    order by x.message_offset desc
    limit 1;
    if not is_held and own[2] > failures_ahead.first and own[3] >= last_from then
        return query select true, null::bigint, own;
        return;
    end if;

    return query
    with run as (
        select x.message_offset as base, x.message_offset + x.message_count as "end", x.attempts, x.retry_at
        from failure x
        where x.partition_id = failures_ahead.partition_id
          and x.group_name = failures_ahead.group_name
          and x.message_offset < failures_ahead."end"
          and x.message_offset + x.message_count > failures_ahead.first
    )
    select coalesce((
               select bool_or(r.attempts >= last_from) from run r where r.base <= failures_ahead.first), false),
           -- In order, so that what is finished is taken away from runs up to the first that has something left.
           (select lower(b.rest)
            from (
                select r.*
                from run r
                where r.attempts >= last_from or r.retry_at > failures_ahead.at
                order by r.base
                offset 0
            ) r
            cross join lateral (
                select int8multirange(int8range(greatest(r.base, failures_ahead.first + 1), greatest(r."end", failures_ahead.first + 1)))
                       - coalesce(failures_ahead.finished, '{}') as rest
                offset 0
            ) b
            where not isempty(b.rest)
            limit 1),
           (select array_agg(n.number order by r.base, n.place)
            from run r
            cross join lateral unnest(array[r.base, r."end", r.attempts]) with ordinality as n (number, place));
end
$$;
