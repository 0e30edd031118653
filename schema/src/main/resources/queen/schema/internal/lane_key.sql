create function :api.lane_key(partition_id uuid)
returns bigint
language sql immutable
as $$
-- Promise:  the advisory lock by which upkeep tells those who come to a lane that it is at work there. The lane's row alone does not
--           say so: a pop must not wait for whoever else locks that.
-- Params:   the lane.
-- Returns:  its key.
-- Locks:    none.
-- Writes:   nothing
select hashtextextended('lane ' || partition_id, 0)
$$;
