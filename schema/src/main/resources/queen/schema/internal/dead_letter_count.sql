create function :api.dead_letter_count(queue_ids uuid[])
returns bigint
language plpgsql stable
as $$
-- Promise:  how many dead letters are kept, counted up to 10,000: whoever has more has another problem, and counting them
--           costs a step each.
-- Params:   the queues; null for all.
-- Returns:  the number.
-- Locks:    nothing.
-- Writes:   nothing
begin
    if queue_ids is null then
        return (
            select count(*)
            from (select d.queue_id from queen.dead_letter d order by d.queue_id, d.failed_at limit 10000) kept);
    end if;
    return (
        select count(*)
        from (
            select d.queue_id
            from unnest(queue_ids) q (id)
            join queen.dead_letter d on d.queue_id = any (array[q.id])
            limit 10000
        ) kept);
end
$$;
