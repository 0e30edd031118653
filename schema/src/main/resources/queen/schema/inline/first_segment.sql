-- :first_segment(lane, first)
-- Promise:  where the segment begins that holds an offset: searching from there reads nothing that was deleted before it.
-- Params:   the lane; the offset: the tail for what can be delivered, least(tail, lower(removed)) for what is stored.
-- Returns:  the base of the segment, or the offset where there is none.
coalesce((
    select v.base from segment v
    where v.partition_id = :lane and v.base <= :first
    order by v.base desc limit 1), :first)
