create function :api.dead_letter_sums(queue_ids uuid[])
returns table (queue_id uuid, reason text, ever numeric, kept numeric)
language plpgsql stable
as $$
-- Promise:  how many dead letters queues have and ever had, by reason, to this moment: what was added up, and what has changed since.
-- Params:   the queues; null for all there are.
-- Returns:  one row per queue and reason; reason is 'unknown' where a release buried that did not tell it.
-- Locks:    nothing.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select d.queue_id, d.reason, sum(d.ever), sum(d.kept)
    from (
        select s.queue_id, s.reason, s.ever, s.kept from dead_letter_sum s
        union all
        select c.queue_id, coalesce(c.reason, 'unknown'), c.ever, c.kept from dead_letter_change c
    ) d
    where (queue_ids is null or d.queue_id = any (queue_ids))
      and exists (select 1 from queen.queue q where q.id = d.queue_id)
    group by d.queue_id, d.reason;
end
$$;
