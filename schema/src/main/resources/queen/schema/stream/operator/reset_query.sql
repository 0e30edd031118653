create function :api.reset_query(actor text, name text)
returns text
language plpgsql volatile
:plans_by_key
as $$
-- Promise:  the stream query has no state any more. Where its group stands in the partitions stays: a seek changes that.
-- Params:   the query's name.
-- Returns:  {success, name, stateRows}; null when there is no such query.
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
