create function :api.first_segment(partition_id uuid, tail bigint)
returns bigint
language sql stable
as $$
-- Promise:  where the first segment of a lane begins: at its tail, or before it when an operator removed what it began with.
-- Params:   the lane and its tail.
-- Returns:  the base of the segment, or the tail where there is none.
-- Locks:    none.
-- Writes:   nothing
select coalesce((
    select s.base from queen.segment s
    where s.partition_id = first_segment.partition_id and s.base <= first_segment.tail
    order by s.base desc limit 1), first_segment.tail)
$$;
