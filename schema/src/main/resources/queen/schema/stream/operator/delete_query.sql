create function :api.delete_query(actor text, name text)
returns text
language plpgsql volatile
:plans_by_key
as $$
-- Promise:  deletes the stream query with its state in every partition, and the group by which it read its queue.
-- Params:   actor; the name of the query.
-- Returns:  {success, name, stateRows}; null if the query does not exist.
-- Locks:    the queen.stream_query row; its stream_partition rows; what delete_group locks.
-- Writes:   queen.stream_query, stream_partition, stream_garbage, queen.audit; what delete_group writes
#variable_conflict use_column
declare
    was         queen.stream_query;
    given_up    bigint;
begin
    select q.* into was from queen.stream_query q where q.name = delete_query.name for update;
    if not found then
        return null;
    end if;
    given_up := :api.reset_state(was.id);
    -- No rows have the new state_id of the reset yet, so no sweep is needed for it.
    delete from queen.stream_query q where q.id = was.id;
    perform :api.delete_group(actor, 'streams.' || was.id, was.source_queue, true);
    perform :api.audit(actor, 'delete', 'stream query ' || was.name,
                       jsonb_build_object('sourceQueue', was.source_queue, 'configHash', was.config_hash, 'stateRows', given_up), null);
    return json_build_object('success', true, 'name', was.name, 'stateRows', given_up)::text;
end
$$;
