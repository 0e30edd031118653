-- :newest_cursor_row(partition, reader)
-- Promise:  as :newest_cursor, with the place of the row, for a caller that holds its lock and updates it by ctid. Only where a shard is
--           entered: the views over all shards have no ctid.
-- Params:   the partition's id; the name of the group.
-- Returns:  one row: tid, and the columns of cursor; none if the group has no cursor in the partition.
(select in_v.ctid as tid, in_v.* from cursor in_v where in_v.partition_id = :partition and in_v.group_name = :reader order by in_v.generation desc limit 1)
