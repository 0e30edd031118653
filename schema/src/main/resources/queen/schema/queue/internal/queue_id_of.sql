create function :api.queue_id_of(queue text)
returns uuid
language sql stable
as $$
-- Promise:  returns the id of a queue for filters.
-- Params:   the name of the queue; null for any.
-- Returns:  null for any queue; an id that no queue has, if the queue does not exist.
-- Locks:    none.
-- Writes:   nothing
select case when queue is not null then coalesce((select q.id from queen.queue q where q.name = queue),
                                                 '00000000-0000-0000-0000-000000000000') end
$$;
