create function :api.subscribe_nameless(queue_ids uuid[])
returns void
language plpgsql volatile
as $$
-- Promise:  whoever reads a queue is subscribed to it, also those who name no group.
-- Params:   the queues they read.
-- Returns:  nothing.
-- Locks:    the new queen.subscription rows.
-- Writes:   queen.subscription, touched_lanes
#variable_conflict use_column
declare
    fresh   text[];
    queue   text;
begin
    fresh := array(
        select q.name
        from queen.queue q
        where q.id = any (queue_ids)
          and not exists (
              select 1 from queen.subscription s
              where s.group_name = '__QUEUE_MODE__' and s.queue_name = q.name and s.namespace = '' and s.task = '')
        order by q.name);
    foreach queue in array fresh loop
        insert into queen.subscription (group_name, queue_name, namespace, task, mode)
        values ('__QUEUE_MODE__', queue, '', '', 'all')
        on conflict do nothing;
    end loop;
    perform :api.touch_queues(fresh);
end
$$;
