create function :api.queue_options(queue queen.queue)
returns jsonb
language sql immutable
as $$
-- Promise:  returns the configured options of a queue, for the audit log.
-- Params:   a row of queen.queue.
-- Returns:  an object of its options, namespace and task.
-- Locks:    none.
-- Writes:   nothing
    select to_jsonb(queue) - '{id,name,created_at,revision,is_paused,partition_floor}'::text[];
$$;
