-- :newest_partition(id)
-- Promise:  returns the newest version of a partition row, no matter how many old versions an open transaction keeps (ADR 14).
-- Params:   the id of the partition.
-- Returns:  one row with the columns of partition; none if the partition does not exist.
(select in_v.* from partition in_v where in_v.id = :id order by in_v.generation desc limit 1)
