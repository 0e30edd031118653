create function :api.pause_group(actor text, group_name text, queue text, is_paused boolean)
returns text
language plpgsql volatile
as $$
-- Promise:  pauses the delivery of a queue to the group, or resumes it; existing leases stay.
-- Params:   the group, which may have never popped; the queue; is_paused: the new state.
-- Returns:  {success, consumerGroup, queue, paused}; null if the queue does not exist.
-- Locks:    the queen.queue row; queen.catalog.
-- Writes:   queen.group_pause, queen.catalog, queen.audit
#variable_conflict use_column
declare
    found_id    uuid;
    was         boolean;
begin
    select q.id into found_id from queen.queue q where q.name = pause_group.queue for no key update;
    if not found then
        return null;
    end if;

    was := exists (select 1 from queen.group_pause g where g.queue_id = found_id and g.group_name = pause_group.group_name);
    if pause_group.is_paused then
        if not was and not :api.is_reader(pause_group.group_name, found_id) then
            perform :api.reject_dot_names(array[pause_group.group_name], 'the consumer group');
        end if;
        insert into queen.group_pause (queue_id, group_name) values (found_id, pause_group.group_name) on conflict do nothing;
    else
        delete from queen.group_pause g where g.queue_id = found_id and g.group_name = pause_group.group_name;
    end if;
    update queen.catalog set version = version + 1;
    perform :api.audit(actor, case when pause_group.is_paused then 'pause' else 'resume' end,
                       format('group %s on queue %s', pause_group.group_name, pause_group.queue),
                       jsonb_build_object('paused', was), jsonb_build_object('paused', pause_group.is_paused));
    return json_build_object('success', true, 'consumerGroup', pause_group.group_name, 'queue', pause_group.queue,
        'paused', pause_group.is_paused)::text;
end
$$;
