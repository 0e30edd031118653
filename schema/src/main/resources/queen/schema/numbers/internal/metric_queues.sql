create function :api.metric_queues(most bigint)
returns table (queue_id uuid, label text, is_omitted boolean, max_size bigint)
language plpgsql stable
as $$
-- Promise:  under which label each queue is shown to Prometheus. The oldest queues have one of their own and keep it as long as they
--           exist, whatever happens to others, so that no series comes and goes; all others share one.
-- Params:   how many queues have a label of their own.
-- Returns:  one row per queue.
-- Locks:    nothing.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select q.id, case when q.place <= most then q.name else '_other' end, q.place > most, q.max_size
    from (
        select q.id, q.name, q.max_size::bigint, row_number() over (order by q.created_at, q.id) as place from queen.queue q
    ) q;
end
$$;
