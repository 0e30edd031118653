create function :api.queries_of(of_queue uuid)
returns table (query_id uuid, state_id uuid)
language sql stable
as $$
-- Promise:  returns the stream queries that read a queue.
-- Params:   the queue.
-- Returns:  one row per query.
-- Locks:    none.
-- Writes:   nothing
select s.id, s.state_id
from queen.stream_query s
where s.source_queue = (select q.name from queen.queue q where q.id = of_queue)
$$;
