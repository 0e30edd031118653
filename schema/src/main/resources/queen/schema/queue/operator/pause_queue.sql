create function :api.pause_queue(actor text, queue text, is_paused boolean)
returns text
language plpgsql volatile
as $$
-- Promise:  pauses the delivery of the queue, or resumes it; existing leases stay.
-- Params:   actor; the name of the queue; is_paused: the new state.
-- Returns:  {success, queue, paused}; null if the queue does not exist.
-- Locks:    the queen.queue row; queen.catalog.
-- Writes:   queen.queue, queen.catalog, queen.audit
#variable_conflict use_column
declare
    was boolean;
begin
    select q.is_paused into was from queen.queue q where q.name = pause_queue.queue for no key update;
    if not found then
        return null;
    end if;

    update queen.queue q set is_paused = pause_queue.is_paused where q.name = pause_queue.queue;
    update queen.catalog set version = version + 1;
    perform :api.audit(actor, case when pause_queue.is_paused then 'pause' else 'resume' end, 'queue ' || pause_queue.queue,
                       jsonb_build_object('paused', was), jsonb_build_object('paused', pause_queue.is_paused));
    return json_build_object('success', true, 'queue', pause_queue.queue, 'paused', pause_queue.is_paused)::text;
end
$$;
