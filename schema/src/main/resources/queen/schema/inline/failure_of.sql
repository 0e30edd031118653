-- :failure_of(lane, reader, message)
-- Promise:  what is known of the failed deliveries of a message that is not finished.
-- Params:   the lane, the group and the message's offset.
-- Returns:  at most one row of failure: the run of messages it belongs to.
(select v.*
 from (
     select v.*
     from failure v
     where v.partition_id = :lane
       and v.group_name = :reader
       and v.message_offset <= :message
     order by v.message_offset desc
     limit 1
 ) v
 where v.message_offset + v.message_count > :message)
