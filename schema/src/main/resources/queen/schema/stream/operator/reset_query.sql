create function :api.reset_query(actor text, name text)
returns text
language plpgsql volatile
:plans_by_key
as $$
-- Promise:  resets the state of the stream query. The cursors of its group do not move; use a seek for that.
-- Params:   actor; the name of the query.
-- Returns:  {success, name, stateRows}; null if the query does not exist.
-- Locks:    the queen.stream_query row; its stream_partition rows.
-- Writes:   queen.stream_query, stream_partition, stream_garbage, queen.audit
#variable_conflict use_column
declare
    found_id    uuid;
    given_up    bigint;
begin
    select q.id into found_id from queen.stream_query q where q.name = reset_query.name for update;
    if not found then
        return null;
    end if;
    given_up := :api.reset_state(found_id);
    perform :api.audit(actor, 'reset', 'stream query ' || reset_query.name, jsonb_build_object('stateRows', given_up),
                       jsonb_build_object('stateRows', 0));
    return json_build_object('success', true, 'name', reset_query.name, 'stateRows', given_up)::text;
end
$$;
