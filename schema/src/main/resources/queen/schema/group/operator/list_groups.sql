create function :api.list_groups("limit" bigint, "offset" bigint, scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns every group with every queue that it reads or has subscribed to, from sums per queue and group and from reports of the
--           servers; reads no partitions.
-- Params:   limit, offset: the page. scope: only these queues, which exist; null for all.
-- Returns:  the array of the contract, by group and queue; maxTimeLag and oldestUnreadSeconds: for how many seconds the oldest unread
--           message has been due; state as in group_state.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        with reader as (
            select g.group_name, q.name as queue_name, g.partitions, g.lagging, g.pending, g.oldest_at, q.id as queue_id,
                   q.namespace, q.task, q.is_paused
            from group_depth g
            join queen.queue q on q.id = g.queue_id
        ), listed as (
            select coalesce(r.group_name, s.group_name) as group_name, coalesce(r.queue_name, s.queue_name) as queue_name,
                   coalesce(r.partitions, 0) as partitions, coalesce(r.lagging, 0) as lagging, coalesce(r.pending, 0) as pending,
                   r.oldest_at, coalesce(r.queue_id, q.id) as queue_id, r.namespace, r.task, coalesce(r.is_paused, q.is_paused, false) as is_queue_paused,
                   s.mode, s.from_at, s.subscribed_at
            from reader r
            full join (select s.* from queen.subscription s where s.queue_name <> '' and s.group_name <> '__QUEUE_MODE__') s
                on s.group_name = r.group_name and s.queue_name = r.queue_name
            left join queen.queue q on q.name = s.queue_name
            where scope is null or coalesce(r.queue_id, q.id) = any (scope)
            order by 1, 2
            limit list_groups."limit" offset list_groups."offset"
        )
        select coalesce(json_agg(json_build_object(
            'name', l.group_name,
            'topics', json_build_array(l.queue_name),
            'queueName', l.queue_name,
            'members', l.partitions,
            'partitionsWithLag', l.lagging,
            'totalLag', l.pending,
            'maxTimeLag', a.oldest_s,
            'oldestUnreadSeconds', a.oldest_s,
            'state', :api.group_state(a.is_paused or l.is_queue_paused or m.pop_maintenance, coalesce(c.consumers, 0), a.oldest_s),
            'consumers', coalesce(c.consumers, 0),
            'waitingPops', coalesce(c.waiting, 0),
            'activeLeases', coalesce(c.leases, 0),
            'paused', a.is_paused,
            'queuePaused', l.is_queue_paused,
            'subscriptionMode', coalesce(l.mode, f.mode),
            'subscriptionTimestamp', :api.iso_millis(coalesce(l.from_at, f.from_at)),
            'subscriptionCreatedAt', :api.iso_millis(coalesce(l.subscribed_at, f.subscribed_at))
        ) order by l.group_name, l.queue_name), '[]')::text
        from listed l
        join queen.system_state m on m.is_the_only_row
        cross join lateral (
            select :api.seconds_since(l.oldest_at) as oldest_s,
                   exists (select 1 from queen.group_pause p where p.queue_id = l.queue_id and p.group_name = l.group_name) as is_paused
        ) a
        left join :api.current_consumers() c on c.queue_name = l.queue_name and c.group_name = l.group_name
        left join lateral (
            select s.mode, s.from_at, s.subscribed_at
            from queen.subscription s
            where l.mode is null
              and s.group_name = l.group_name
              and s.queue_name = ''
              and s.namespace in ('', l.namespace)
              and s.task in ('', l.task)
            limit 1
        ) f on true);
end
$$;
