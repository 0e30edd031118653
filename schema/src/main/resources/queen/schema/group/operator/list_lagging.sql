create function :api.list_lagging(min_lag_s bigint, "limit" bigint, scope uuid[] default null)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns the partitions in which a group has an unread message that has been due for more than min_lag_s, longest first. They
--           are found in the sums and then checked against their present state. Paused groups, queues and partitions do not lag.
-- Params:   min_lag_s: seconds; limit: the maximum number of partitions. scope: only these queues; null for all.
-- Returns:  the array of the contract.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    partitions  uuid[];
    readers     text[];
begin
    select array_agg(l.target_id order by l.target_id, l.reader), array_agg(l.reader order by l.target_id, l.reader)
    into partitions, readers
    from (
        select l.*, dense_rank() over (order by l.since, l.target_id) as place
        from :api.late_partitions(clock_timestamp() - make_interval(secs => min_lag_s), list_lagging."limit", scope) l
    ) l
    where l.place <= list_lagging."limit";
    return (
        select coalesce(json_agg(json_build_object(
            'consumer_group', readers[s.index],
            'queue_name', q.name,
            'partition_name', p.name,
            'partition_id', p.id,
            'worker_id', s.lease_id,
            'offset_lag', s.pending,
            'time_lag_seconds', a.oldest_s,
            'lag_hours', round(a.oldest_s / 3600.0, 2),
            'oldest_unconsumed_at', :api.iso_millis(s.oldest_at),
            'last_consumed_at', :api.iso_millis((s.reader).last_ack_at)
        ) order by a.due_at, p.id), '[]')::text
        from :api.delivery_states(coalesce(partitions, '{}'), readers) s
        cross join lateral (select (s.partition).*) p
        join queen.queue q on q.id = any (array[p.queue_id])
        cross join lateral (
            select d.due_at, :api.seconds_since(d.due_at) as oldest_s
            from (
                select :api.due_since(
                    s.oldest_at, q.delayed_processing_s, q.window_buffer_s, p.last_push_at, (s.reader).retry_at) as due_at
            ) d
        ) a
        where a.oldest_s > min_lag_s
          and s.state <> 'paused');
end
$$;
