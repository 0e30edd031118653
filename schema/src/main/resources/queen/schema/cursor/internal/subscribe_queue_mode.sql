create function :api.subscribe_queue_mode(queue_ids uuid[])
returns void
language plpgsql volatile
set plan_cache_mode = auto
as $$
-- Promise:  records the subscription of consumers without a group (__QUEUE_MODE__) to the queues that they read.
-- Params:   queue_ids: the queues.
-- Returns:  nothing.
-- Locks:    the new queen.subscription rows.
-- Writes:   queen.subscription, touched_partitions
#variable_conflict use_column
declare
    fresh   text[];
    queue   text;
begin
    fresh := array(
        select q.name
        from queue q
        where q.id = any (queue_ids)
          and not exists (
              select 1 from subscription s
              where s.group_name = '__QUEUE_MODE__' and s.queue_name = q.name and s.namespace = '' and s.task = '')
        order by q.name);
    -- On Citus this is a distributed insert, which does not support generic plans.
    foreach queue in array fresh loop
        insert into queen.subscription (group_name, queue_name, namespace, task, mode)
        values ('__QUEUE_MODE__', queue, '', '', 'all')
        on conflict do nothing;
    end loop;
    perform :api.touch_queues(fresh);
end
$$;
