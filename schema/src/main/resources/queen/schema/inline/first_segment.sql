-- :first_segment(partition, first)
-- Promise:  returns the base of the segment that contains an offset. A search that starts there does not read deleted rows before it.
-- Params:   the partition; the offset: the tail for messages that can be delivered, least(tail, lower(removed)) for stored ones.
-- Returns:  the base of the segment; the offset if there is none.
coalesce((
    select in_v.base from segment in_v
    where in_v.partition_id = :partition and in_v.base <= :first
    order by in_v.base desc limit 1), :first)
