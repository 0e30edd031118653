-- :failure_of(partition, reader, message)
-- Promise:  returns the failed deliveries of an unfinished message.
-- Params:   the partition, the group and the offset of the message.
-- Returns:  at most one row of failure: the run that contains the message.
(select in_v.*
 from (
     select in_v.*
     from failure in_v
     where in_v.partition_id = :partition
       and in_v.group_name = :reader
       and in_v.message_offset <= :message
     order by in_v.message_offset desc
     limit 1
 ) in_v
 where in_v.message_offset + in_v.message_count > :message)
