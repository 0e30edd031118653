create function :api.failures_ahead(
    partition_id uuid, group_name text, first bigint, "end" bigint, finished int8multirange, is_held boolean,
    is_auto_ack boolean, at timestamptz)
returns table (is_last boolean, next_stop bigint, attempts bigint[])
language plpgsql stable
as $$
-- Promise:  returns how earlier failures limit a delivery that starts at first. A message is at its last attempt if one more failure makes
--           it a dead letter, or if it has no attempts left because it was never alone in a lease. With is_auto_ack no message is at its
--           last attempt: it is finished at delivery. A message that must be delivered alone is decided by its own run: the time for each
--           of many such messages does not depend on their number.
-- Params:   the partition and the group; the range to deliver, or is_held: the range that is leased; finished: offsets finished ahead of
--           the cursor; at: the present time.
-- Returns:  one row. is_last: the first message is at its last attempt. next_stop: the first later unfinished message that is at its last
--           attempt or not due yet; null if there is none, or if the first message must be delivered alone. attempts: three numbers for
--           each run of equal failures: first offset, end and number of attempts; null if nothing failed.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    last_from   int := (
        select case when not is_auto_ack then greatest(q.retry_limit, 1) end
        from :newest_partition(failures_ahead.partition_id) p
        join queue q on q.id = any (array[p.queue_id]));
    -- The run of the first message, if it failed.
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
           -- In order, so that finished offsets are subtracted only up to the first run with a remaining message.
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
