create function :api.failures_ahead(
    partition_id uuid, group_name text, first bigint, "end" bigint, finished int8multirange, is_auto_ack boolean,
    at timestamptz)
returns table (is_last boolean, next_stop bigint, attempts bigint[])
language plpgsql stable
as $$
-- Promise:  what earlier failures mean for a delivery that begins at first. A message has its last attempt before it when one more
--           failure makes it a dead letter, or it was dead already had it been delivered alone. With is_auto_ack there is no such
--           message: what is finished when it is given can be blamed for nothing.
-- Params:   the lane and the group; the range that is to be given; what is finished ahead of the cursor; at: the present moment.
-- Returns:  one row. is_last: the first message has its last attempt before it. next_stop: the first unfinished message behind it of
--           which that is true, or which is not due yet; null when there is none. attempts: three numbers for each run of messages
--           that failed alike, its first offset, its end and how often; null when nothing failed.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    last_from int := (
        select case when not is_auto_ack then greatest(q.retry_limit, 1) end
        from (select v.* from partition v where v.id = failures_ahead.partition_id order by v.generation desc limit 1) p
        join queue q on q.id = any (array[p.queue_id]));
begin
    return query
    with run as (
        select x.message_offset as base, x.message_offset + x.message_count as "end", x.attempts, x.retry_at
        from failure x
        where x.partition_id = failures_ahead.partition_id
          and x.group_name = failures_ahead.group_name
          and x.message_offset < failures_ahead."end"
          and x.message_offset + x.message_count > failures_ahead.first
    ), behind as (
        select r.*, int8multirange(int8range(greatest(r.base, failures_ahead.first + 1), greatest(r."end", failures_ahead.first + 1)))
                    - coalesce(failures_ahead.finished, '{}') as rest
        from run r
    )
    select coalesce(bool_or(b.attempts >= last_from and b.base <= failures_ahead.first), false),
           min(lower(b.rest)) filter (where b.attempts >= last_from or b.retry_at > failures_ahead.at),
           (select array_agg(n.number order by r.base, n.place)
            from run r
            cross join lateral unnest(array[r.base, r."end", r.attempts]) with ordinality as n (number, place))
    from behind b;
end
$$;
