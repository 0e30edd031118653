create function :api.is_redrive_within(r queen.redrive, scope uuid[])
returns boolean
language sql stable
as $$
-- Promise:  returns whether a redrive reads dead letters of queues in a scope, and moves them only to queues in the scope.
-- Params:   the redrive; scope: the ids of queues.
-- Returns:  true or false. A redrive over all queues is in no scope.
-- Locks:    none.
-- Writes:   nothing
select coalesce(r.queue_id = any (scope), false)
   and (r.target_queue is null
        or exists (select 1 from queen.queue q where q.name = r.target_queue and q.id = any (scope)))
$$;
