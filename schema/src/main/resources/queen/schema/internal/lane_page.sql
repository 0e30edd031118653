create function :api.lane_page(queue_id uuid, after_name text, lanes_max bigint)
returns table (id uuid, name text)
language plpgsql stable
as $$
-- Promise:  the next lanes of a queue by name, found by their keys, which have no old versions.
-- Params:   the queue; where the last page ended, '' at first; how many.
-- Returns:  one row per lane; what is in it, its row in partition tells.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select k.id, k.name
    from partition_key k
    where k.queue_id = lane_page.queue_id
      and k.name > lane_page.after_name
    order by k.name
    limit lane_page.lanes_max;
end
$$;
