create function :api.partition_of(partition_id uuid)
returns setof queen.partition
language sql stable
as $$
-- Promise:  the lane of this id, found at its newest generation without a look at older ones. PostgreSQL puts this query in the
--           place of the call, so it costs no call.
-- Params:   the lane.
-- Returns:  at most one row.
-- Locks:    none.
-- Writes:   nothing
select p.*
from queen.partition p
where p.id = partition_of.partition_id
order by p.generation desc
limit 1
$$;
