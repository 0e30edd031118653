create function :api.create_queues(names text[], namespaces text[], tasks text[])
returns setof queen.queue
language plpgsql volatile
as $$
-- Promise:  creates the missing queues with default options.
-- Params:   arrays of equal length, each name once.
-- Returns:  one row per queue. QN400: a missing queue is named . or .. A queue that is being deleted still exists: this does not wait for
--           the deletion.
-- Locks:    queen.queue rows that are being created, ascending by name; queen.catalog.
-- Writes:   queen.queue, queen.catalog
#variable_conflict use_column
begin
    if names && array['.', '..'] then
        perform :api.reject_dot_names(array(
            select i.name from unnest(names) as i (name) where not exists (select 1 from queen.queue q where q.name = i.name)), 'the queue');
    end if;
    insert into queen.queue (id, name, namespace, task)
    select gen_random_uuid(), i.name, i.namespace, i.task
    from unnest(names, namespaces, tasks) as i (name, namespace, task)
    where not exists (select 1 from queen.queue q where q.name = i.name offset 0)
    order by i.name
    on conflict (name) do nothing;

    if found then
        update queen.catalog set version = version + 1;
    end if;

    return query
    select q.*
    from queen.queue q
    where q.name = any (names);
end
$$;
