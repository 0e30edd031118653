create function :api.queue_id_of(queue text)
returns uuid
language sql stable
as $$
-- Promise:  the id by which a filter finds what belongs to a queue, and nothing at all where there is no such queue.
-- Params:   the queue's name; null for any.
-- Returns:  null for any queue; the id of none for a queue that does not exist.
-- Locks:    none.
-- Writes:   nothing
select case when queue is not null then coalesce((select q.id from queen.queue q where q.name = queue),
                                                 '00000000-0000-0000-0000-000000000000') end
$$;
