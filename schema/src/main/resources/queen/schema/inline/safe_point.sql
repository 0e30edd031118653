-- :safe_point(lane)
-- Promise:  the first offset of a lane that somebody may still want to read: where the slowest group stands. A group that
--           is subscribed to the queue and has not come to this lane yet counts with where it will begin.
-- Params:   the lane.
-- Returns:  the offset; null when nobody reads the queue.
(select min(g.position)
 from partition l
 cross join lateral (select q.* from queen.queue q where q.id = l.queue_id offset 0) q
 cross join lateral (
     select c.committed as position
     from cursor c
     where c.partition_id = l.id
     union all
     select case when s.mode = 'timestamp' then coalesce((
                select greatest(x.base, l.tail) from segment x where x.partition_id = l.id and x.created_at >= s.from_at
                order by x.base limit 1), l.head) else l.tail end
     from queen.subscription s
     where s.queue_name = any (array[q.name, ''])
       and (s.queue_name <> '' or (s.namespace = '' or s.namespace = q.namespace) and (s.task = '' or s.task = q.task))
       and not exists (select from cursor c where c.partition_id = l.id and c.group_name = s.group_name offset 0)
 ) g
 where l.id = :lane)
