-- :begins_at(queue, age, reader, since, moment)
-- Promise:  returns the start time of a group in partitions of a queue where it has no cursor. Messages that had expired before the group
--           subscribed are not delivered to it.
-- Params:   the name and the eviction_age of the queue; the group; since: the start time of the subscription used; a subscription to the
--           queue itself takes precedence; moment: the present time, at which a group without a subscription subscribes.
-- Returns:  the time; null for the first stored message.
(select greatest(
            case when count(*) > 0 then max(in_b.from_at) else :since end,
            coalesce((
                select min(in_s.subscribed_at) from subscription in_s
                where in_s.group_name = :reader and in_s.queue_name = any (array[:queue, ''])), :moment) - make_interval(secs => :age))
 from subscription in_b
 where in_b.group_name = :reader
   and in_b.queue_name = :queue
   and in_b.namespace = ''
   and in_b.task = '')
