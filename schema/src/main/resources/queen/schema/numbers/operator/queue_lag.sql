create function :api.queue_lag(queue text, from_at timestamptz, to_at timestamptz, scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns the age of messages at delivery, by queue and bucket.
-- Params:   queue: null for the 50 busiest; the range, by default the last hour. scope: only these queues; null for all.
-- Returns:  [{queueName, popCount, avgLagMs, maxLagMs, bucketTime}], newest first; only buckets with popped messages.
-- Locks:    none.
-- Writes:   nothing
declare
    until   timestamptz := coalesce(to_at, now());
    since   timestamptz := coalesce(from_at, until - interval '1 hour');
    width   int := :api.bucket_minutes(since, until);
begin
    return (
        select coalesce(json_agg(json_build_object(
                   'queueName', o.queue_name, 'popCount', o.pop_messages, 'avgLagMs', round(o.lag_sum_ms / o.pop_messages),
                   'maxLagMs', o.lag_max_ms, 'bucketTime', :api.iso_seconds(o.at)) order by o.at desc, o.queue_name), '[]')
        from :api.queue_counts_in(since, until, width, :api.busy_queues(since, until, queue, scope)) o
        where o.pop_messages > 0)::text;
end
$$;
