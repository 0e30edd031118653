-- :newest_cursor(partition, reader)
-- Promise:  returns the newest version of a cursor row, no matter how many old versions an open transaction keeps (ADR 14).
-- Params:   the id of the partition; the name of the group.
-- Returns:  one row with the columns of cursor; none if the group has no cursor in the partition.
(select in_v.* from cursor in_v where in_v.partition_id = :partition and in_v.group_name = :reader order by in_v.generation desc limit 1)
