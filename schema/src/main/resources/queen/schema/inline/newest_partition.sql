-- :newest_partition(id)
-- Promise:  the newest version of a partition's row, however many old versions an open transaction keeps alive (ADR 14).
-- Params:   the partition's id.
-- Returns:  one row with the columns of partition; none if there is no such partition.
(select in_v.* from partition in_v where in_v.id = :id order by in_v.generation desc limit 1)
