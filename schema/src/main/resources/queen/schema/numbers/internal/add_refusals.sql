create function :api.add_refusals(minute timestamptz, queue_ids uuid[], reasons text[], counts bigint[])
returns void
language plpgsql volatile
as $$
-- Promise:  adds refused messages to the counts of their minute and to the totals.
-- Params:   minute; arrays of equal length, each queue and reason once.
-- Returns:  nothing.
-- Locks:    queen.refusal_minute rows, then queen.refusal_sum rows, each ascending by (queue_id, reason).
-- Writes:   queen.refusal_minute, queen.refusal_sum
#variable_conflict use_column
begin
    insert into queen.refusal_minute as m (queue_id, at, reason, count)
    select r.queue_id, minute, r.reason, r.count
    from unnest(queue_ids, reasons, counts) as r (queue_id, reason, count)
    order by r.queue_id, r.reason
    on conflict (queue_id, at, reason) do update set count = m.count + excluded.count;

    insert into queen.refusal_sum as s (queue_id, reason, count)
    select r.queue_id, r.reason, r.count
    from unnest(queue_ids, reasons, counts) as r (queue_id, reason, count)
    order by r.queue_id, r.reason
    on conflict (queue_id, reason) do update set count = s.count + excluded.count;
end
$$;
