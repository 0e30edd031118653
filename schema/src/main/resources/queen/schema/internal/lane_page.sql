create function :api.lane_page(queue_id uuid, after_name text, lanes_max bigint)
returns setof partition_key
language sql stable
as $$
-- Promise:  the next lanes of a queue by name, found by their keys, which have no old versions. PostgreSQL puts this query in the
--           place of the call.
-- Params:   the queue; where the last page ended, '' at first; how many.
-- Returns:  one row per lane; what is in it tells partition_of.
-- Locks:    none.
-- Writes:   nothing
select k.*
from partition_key k
where k.queue_id = lane_page.queue_id
  and k.name > lane_page.after_name
order by k.name
limit lane_page.lanes_max
$$;
