create function :api.explain_lane(partition_id uuid, group_name text)
returns text
language sql stable
as $$
-- Promise:  one answer to why the next message of a lane is not being delivered to a group.
-- Params:   the lane; the group.
-- Returns:  as explanation; null when there is no such lane.
-- Locks:    none.
-- Writes:   nothing
select :api.explanation(explain_lane.partition_id, explain_lane.group_name)::text
$$;
