-- :begins_at(queue, age, reader, since, moment)
-- Promise:  from when on a group reads partitions of a queue in which it has no cursor. What had expired before the group subscribed is
--           not its concern.
-- Params:   the queue's name and its eviction_age; the group; since: from when the subscription says by which the group comes; one to
--           the queue itself counts before it; the present moment, which is when a group without a subscription subscribes.
-- Returns:  the moment; null for the first message that is kept.
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
