-- :lowest_position(partition)
-- Promise:  returns the lowest position of all groups in a partition: segments before it are finished by every group. A group that is
--           subscribed to the queue and has no cursor in the partition counts with its start position.
-- Params:   the partition.
-- Returns:  the offset; null if no group reads the queue.
(select min(in_g.position)
 from partition in_p
 cross join lateral (select in_q.* from queen.queue in_q where in_q.id = in_p.queue_id offset 0) in_q
 cross join lateral (
     select in_c.committed as position
     from cursor in_c
     where in_c.partition_id = in_p.id
     union all
     select case when in_s.mode = 'timestamp' then :offset_at(in_p.id, in_p.tail, in_p.head, in_s.from_at) else in_p.tail end
     from queen.subscription in_s
     where in_s.queue_name = any (array[in_q.name, ''])
       and (in_s.queue_name <> '' or (in_s.namespace = '' or in_s.namespace = in_q.namespace) and (in_s.task = '' or in_s.task = in_q.task))
       and not exists (select 1 from cursor in_c where in_c.partition_id = in_p.id and in_c.group_name = in_s.group_name offset 0)
 ) in_g
 where in_p.id = :partition)
