-- :newest_cursor_row(partition, reader)
-- Promise:  does what :newest_cursor does, with the ctid of the row, for a caller that has locked the row and updates it by ctid. A shard
--           must be selected: the views over all shards have no ctid.
-- Params:   the id of the partition; the name of the group.
-- Returns:  one row: tid, and the columns of cursor; none if the group has no cursor in the partition.
(select in_v.ctid as tid, in_v.* from cursor in_v where in_v.partition_id = :partition and in_v.group_name = :reader order by in_v.generation desc limit 1)
