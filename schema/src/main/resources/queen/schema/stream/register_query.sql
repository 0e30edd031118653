create function :api.register_query(actor text, name text, source_queue text, sink_queue text, config_hash text, is_reset boolean)
returns table (query_id uuid, is_fresh boolean, was_reset boolean, is_refused boolean)
language plpgsql volatile
as $$
-- Promise:  creates the query, if it does not exist. A query with another fingerprint is rejected and not changed, unless is_reset: then
--           its state is reset and its definition replaced.
-- Params:   actor: the caller, for the audit log; sink_queue may be null.
-- Returns:  one row: the query, whether it is new, whether its state was reset, whether it was rejected.
-- Locks:    the queen.stream_query row; what reset_state locks.
-- Writes:   queen.stream_query, queen.audit; what reset_state writes
#variable_conflict use_column
declare
    was queen.stream_query;
begin
    insert into queen.stream_query (name, source_queue, sink_queue, config_hash)
    values (register_query.name, register_query.source_queue, register_query.sink_queue, register_query.config_hash)
    on conflict do nothing
    returning id into query_id;
    is_fresh := query_id is not null;
    if is_fresh then
        perform :api.reject_dot_names(array[register_query.name], 'the query');
    end if;
    was_reset := false;
    is_refused := false;
    if not is_fresh then
        -- Only a reset waits for cycles in progress, and blocks new ones.
        if is_reset then
            select q.* into was from queen.stream_query q where q.name = register_query.name for update;
        else
            select q.* into was from queen.stream_query q where q.name = register_query.name;
        end if;
        query_id := was.id;
        if is_reset then
            perform :api.reset_state(was.id);
            update queen.stream_query q
            set source_queue = register_query.source_queue,
                sink_queue = register_query.sink_queue,
                config_hash = register_query.config_hash
            where q.id = was.id;
            perform :api.audit(actor, 'reset', 'stream query ' || register_query.name,
                               jsonb_build_object('configHash', was.config_hash),
                               jsonb_build_object('configHash', register_query.config_hash));
            was_reset := true;
        else
            is_refused := was.config_hash <> register_query.config_hash;
        end if;
    end if;
    return next;
end
$$;
