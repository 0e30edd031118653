create function :api.list_lagging(min_lag_s bigint, "limit" bigint)
returns text
language plpgsql stable
as $$
-- Promise:  where groups have left a message unread that has been due for longer than so many seconds, longest first: found in the
--           sums, and then looked at as it is now. What is paused does not lag.
-- Params:   how many seconds; how many lanes at most.
-- Returns:  an array as in the contract.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    paused_queues   uuid[] := array(select q.id from queen.queue q where q.is_paused);
    paused_groups   text[] := array(select g.queue_id || '/' || g.group_name from queen.group_pause g);
begin
    return (
        with late as (
            select d.partition_id, d.queue_id, u.group_name
            from (
                select d.partition_id, d.queue_id, d.group_names, d.group_pendings
                from lane_depth d
                where d.oldest_at < now() - make_interval(secs => min_lag_s)
                  and d.oldest_at is not null
                  and d.group_names <> '{}'
                  and exists (
                      select 1
                      from unnest(d.group_names, d.group_pendings) as u (group_name, pending)
                      where u.pending > 0
                        and d.queue_id || '/' || u.group_name <> all (paused_groups))
                  and d.queue_id <> all (paused_queues)
                order by d.oldest_at
                limit list_lagging."limit"
            ) d
            cross join lateral unnest(d.group_names, d.group_pendings) as u (group_name, pending)
            where u.pending > 0
        ), looked as (
            select array_agg(l.partition_id order by l.partition_id, l.group_name) as ids,
                   array_agg(l.group_name order by l.partition_id, l.group_name) as groups
            from late l
        )
        select coalesce(json_agg(json_build_object(
            'consumer_group', k.groups[s.index],
            'queue_name', q.name,
            'partition_name', p.name,
            'partition_id', p.id,
            'worker_id', s.lease_id,
            'offset_lag', s.pending,
            'time_lag_seconds', a.oldest_s,
            'lag_hours', round(a.oldest_s / 3600.0, 2),
            'oldest_unconsumed_at', :api.iso_millis(s.oldest_at),
            'last_consumed_at', :api.iso_millis(c.last_ack_at)
        ) order by a.due_at, p.id), '[]')::text
        from looked k
        cross join lateral :api.standing(k.ids, k.groups) s
        cross join lateral (select v.* from partition v where v.id = k.ids[s.index] order by v.generation desc limit 1) p
        join queen.queue q on q.id = any (array[p.queue_id])
        left join lateral (
            select v.* from cursor v
            where v.partition_id = p.id and v.group_name = k.groups[s.index]
            order by v.generation desc limit 1
        ) c on true
        cross join lateral (
            select d.due_at, :api.seconds_since(d.due_at) as oldest_s
            from (select :api.due_since(s.oldest_at, q.delayed_processing_s, q.window_buffer_s, p.last_push_at, c.retry_at) as due_at) d
        ) a
        where a.oldest_s > min_lag_s
          and s.state <> 'paused');
end
$$;
