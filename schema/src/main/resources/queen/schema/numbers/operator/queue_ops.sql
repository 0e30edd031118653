create function :api.queue_ops(queue text, from_at timestamptz, to_at timestamptz, scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns the operations of queues, by bucket.
-- Params:   queue: null for the 50 busiest; the range, by default the last hour. scope: only these queues; null for all.
-- Returns:  {timeRange, bucketMinutes, pointCount, series (oldest first), queues: [names]}; only buckets with operations.
-- Locks:    none.
-- Writes:   nothing
declare
    until   timestamptz := coalesce(to_at, now());
    since   timestamptz := coalesce(from_at, until - interval '1 hour');
    width   int := :api.bucket_minutes(since, until);
    seconds numeric := 60.0 * width;
    ids     uuid[] := :api.busy_queues(since, until, queue, scope);
    series  json;
begin
    select json_agg(json_build_object(
               'bucket', :api.iso_seconds(o.at), 'queueName', o.queue_name,
               'pushRequests', o.push_requests, 'pushMessages', o.push_messages,
               'popMessages', o.pop_messages, 'popEmpty', o.pop_empty,
               'ackRequests', o.ack_requests, 'ackSuccess', o.ack_success, 'ackFailed', o.ack_failed,
               'transactions', o.transactions, 'partitionsCreated', o.partitions_created, 'partitionsDeleted', o.partitions_deleted,
               'partitionCount', coalesce(t.partitions, 0),
               'avgLagMs', coalesce(round(o.lag_sum_ms / nullif(o.pop_messages, 0)), 0), 'maxLagMs', o.lag_max_ms,
               'pushPerSecond', round(o.push_messages / seconds, 2), 'popPerSecond', round(o.pop_messages / seconds, 2),
               'ackPerSecond', round(o.ack_success / seconds, 2), 'emptyPerSecond', round(o.pop_empty / seconds, 2),
               'parkedCount', o.waiting_pops) order by o.at, o.queue_name)
    into series
    from :api.queue_counts_in(since, until, width, ids) o
    left join queue_depth t on t.queue_id = o.queue_id;

    return json_build_object(
        'timeRange', json_build_object('from', :api.iso_millis(since), 'to', :api.iso_millis(until)),
        'bucketMinutes', width, 'pointCount', coalesce(json_array_length(series), 0),
        'series', coalesce(series, '[]'),
        'queues', coalesce((select json_agg(q.name order by q.name) from queen.queue q where q.id = any (ids)), '[]'))::text;
end
$$;
