create function :api.refusals_in(from_at timestamptz, to_at timestamptz, width int, queue_ids uuid[])
returns table (at timestamptz, queue_id uuid, reason text, count numeric)
language plpgsql stable
as $$
-- Promise:  returns the number of refused messages in each bucket of the range, by queue and reason.
-- Params:   the range; width: of the buckets in minutes; the queues, null for all existing ones.
-- Returns:  one row per bucket, queue and reason with refused messages.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    first timestamptz := date_bin('1 minute', from_at, 'epoch');
begin
    return query
    select date_bin(make_interval(mins => width), r.at, 'epoch'), r.queue_id, r.reason, sum(r.count)
    from (
        select m.* from queen.refusal_minute m
        where queue_ids is null and m.at >= first and m.at <= to_at
          and exists (select 1 from queen.queue q where q.id = m.queue_id)
        union all
        select m.* from unnest(queue_ids) u (id)
        join queen.refusal_minute m on m.queue_id = any (array[u.id])
        where m.at >= first and m.at <= to_at
    ) r
    group by 1, 2, 3;
end
$$;
