create function :api.configure(
    actor text, name text, namespace text, task text, options jsonb, may_remove boolean, server_dedup_window_s int)
returns setof queen.queue
language plpgsql volatile
set search_path = queen, pg_temp
as $$
-- Promise:  creates the queue or sets the given options; other options keep their values (or defaults, for a new queue). The partition
--           Default exists afterward. After encryption is switched on, no push that begins after the commit stores clear text;
--           await_pushes waits for those that began before. Unless may_remove is true, a change of an existing queue that removes messages
--           or protection raises QN403 with the options that cause it, and changes nothing.
-- Params:   actor: the caller, for the audit log; namespace, task: null: unchanged; options: the given options by column of queen.queue,
--           dedup_window_s null: the setting of the server applies; may_remove: the caller may remove messages and protection of this
--           queue; server_dedup_window_s: the setting of the server.
-- Returns:  the queue. QN400: it does not exist and is named . or ..
-- Locks:    the queen.queue row; the queen.queue_size row; queen.system_state when encryption is switched on; queen.catalog.
-- Writes:   queen.queue, partition, queen.queue_size, queen.system_state, queen.migration, queen.catalog, touched_partitions, queen.audit
#variable_conflict use_column
declare
    was             queen.queue;
    now_is          queen.queue;
    is_new          boolean;
    first_partition uuid;
    removing        text[];
    unfinished      bigint;
begin
    -- Locks an existing queue, so that it is not deleted before the next statement.
    insert into queen.queue as q (id, name, namespace, task)
    values (gen_random_uuid(), configure.name, coalesce(configure.namespace, ''), coalesce(configure.task, ''))
    on conflict (name) do update set task = q.task
    returning q.xmax = 0 into is_new;
    if is_new then
        perform :api.reject_dot_names(array[configure.name], 'the queue');
    end if;
    select q.* into was from queen.queue q where q.name = configure.name;

    execute 'update queen.queue q set namespace = coalesce($2, q.namespace), task = coalesce($3, q.task)'
            || coalesce((select string_agg(format(', %I = %L', o.key, o.value), '') from jsonb_each_text(options) o), '')
            || ' where q.name = $1 returning q.*'
    into now_is using configure.name, configure.namespace, configure.task;

    -- The row has been locked since the first statement, so no other configure can intervene between this comparison and the commit.
    if not is_new and may_remove is not true then
        removing := :api.removing_options(was, now_is, server_dedup_window_s);
        if now_is.max_size > 0 and (was.max_size = 0 or now_is.max_size < was.max_size) then
            unfinished := :api.count_unfinished(now_is.id);
            if now_is.max_size < unfinished then
                removing := removing || format('"maxSize" from %s to %s, which is less than the %s unfinished messages',
                                               was.max_size, now_is.max_size, unfinished);
            end if;
        end if;
        if cardinality(removing) > 0 then
            raise exception 'queue "%" exists, and changing % removes messages or protection, which requires the role admin; '
                            'send the current value, leave the option out, or ask an administrator',
                            configure.name, array_to_string(removing, ' and ')
                using errcode = 'QN403';
        end if;
    end if;

    first_partition := :api.partition_id(now_is.id, 'Default');
    perform :api.select_shard(:api.shard_of(first_partition));
    perform :api.create_partitions(array[first_partition], array[now_is.id], array['Default']);

    -- Other servers load the limit within a second, and push without it until then.
    if (options ->> 'max_size')::bigint > 0 then
        insert into queen.queue_size (queue_id, uncertain_until)
        values (now_is.id, clock_timestamp() + interval '5 seconds')
        on conflict (queue_id) do update set size = null, uncertain_until = excluded.uncertain_until;
    end if;

    if now_is.encryption_enabled and not was.encryption_enabled then
        update queen.system_state set encryption_epoch = encryption_epoch + 1;
        perform :api.bind_messages();
    end if;
    if is_new or now_is is not distinct from was then
        perform :api.touch_partitions(array[first_partition], '{}');
    else
        perform :api.touch_queues(array[now_is.name]);
    end if;
    -- Clients configure their queues at every start; only changes are audited.
    if is_new or now_is is distinct from was then
        perform :api.audit(actor, 'configure', 'queue ' || configure.name,
                           case when not is_new then :api.queue_options(was) end, :api.queue_options(now_is));
    end if;
    update queen.catalog set version = version + 1;

    return next now_is;
end
$$;
