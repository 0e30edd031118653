create function :api.busy_queues(from_at timestamptz, to_at timestamptz, queue text, scope uuid[] default null)
returns uuid[]
language sql stable
as $$
-- Promise:  returns the queues of series shown side by side: the named one, or the 50 with the most messages in the last hours of the
--           range.
-- Params:   the range; queue: the name of a queue, null for the busiest. scope: only these queues; null for all.
-- Returns:  their ids.
-- Locks:    none.
-- Writes:   nothing
    select case when busy_queues.queue is not null then array(
        select q.id from queen.queue q where q.name = busy_queues.queue and (scope is null or q.id = any (scope)))
    else array(
        select b.queue_id
        from queen.queue_bucket b
        where b.minutes = 60
          and b.at >= greatest(date_bin('1 hour', from_at, 'epoch'), date_bin('1 hour', to_at, 'epoch') - interval '1 hour')
          and b.at <= to_at
          and (scope is null or b.queue_id = any (scope))
        group by b.queue_id
        order by sum(b.push_messages + b.pop_messages + b.ack_success + b.waiting_pops) desc, b.queue_id
        limit 50) end;
$$;
