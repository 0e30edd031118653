-- :first_segment(partition, first)
-- Promise:  where the segment begins that holds an offset: searching from there reads nothing that was deleted before it.
-- Params:   the partition; the offset: the tail for what can be delivered, least(tail, lower(removed)) for what is stored.
-- Returns:  the base of the segment, or the offset where there is none.
coalesce((
    select in_v.base from segment in_v
    where in_v.partition_id = :partition and in_v.base <= :first
    order by in_v.base desc limit 1), :first)
