create function :api.explain_lane(partition_id uuid, group_name text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  one answer to why the next message of a lane is not being delivered to a group.
-- Params:   the lane; the group.
-- Returns:  as explanation; null when there is no such lane.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    perform :api.enter(:api.shard_of(explain_lane.partition_id));
    return :api.explanation(explain_lane.partition_id, explain_lane.group_name)::text;
end
$$;
