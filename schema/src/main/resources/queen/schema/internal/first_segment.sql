create function :api.first_segment(partition_id uuid, first bigint)
returns bigint
language plpgsql stable
as $$
-- Promise:  where the segment begins that holds an offset: searching from there reads nothing that was deleted before it.
-- Params:   the lane; the offset: the tail for what can be delivered, least(tail, lower(removed)) for what is stored.
-- Returns:  the base of the segment, or the offset where there is none.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select coalesce((
            select s.base from segment s
            where s.partition_id = first_segment.partition_id and s.base <= first_segment.first
            order by s.base desc limit 1), first_segment.first));
end
$$;
