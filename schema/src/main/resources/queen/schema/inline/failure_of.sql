-- :failure_of(partition, reader, message)
-- Promise:  what is known of the failed deliveries of a message that is not finished.
-- Params:   the partition, the group and the message's offset.
-- Returns:  at most one row of failure: the run of messages it belongs to.
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
