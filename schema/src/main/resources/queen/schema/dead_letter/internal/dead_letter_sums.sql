create function :api.dead_letter_sums(queue_ids uuid[])
returns table (queue_id uuid, reason text, ever numeric, kept numeric)
language plpgsql stable
as $$
-- Promise:  returns how many dead letters queues have stored, and have had in total, by reason and including changes that are not added to
--           the sums yet.
-- Params:   queue_ids: null for all queues.
-- Returns:  one row per queue and reason; reason is 'unknown' for dead letters of an older release that did not record it.
-- Locks:    none.
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
