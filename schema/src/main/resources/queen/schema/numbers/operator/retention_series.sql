create function :api.retention_series(queue text, from_at timestamptz, to_at timestamptz, scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns the number of messages that upkeep removed, by cause and bucket, including empty buckets.
-- Params:   queue: null for all; the range, by default the last hour. scope: only these queues; null for all.
-- Returns:  {timeRange, bucketMinutes, pointCount, series (oldest first): [{bucket, retentionMsgs, completedRetentionMsgs,
--           evictionMsgs, totalMsgs, eventCount}], totals}
-- Locks:    none.
-- Writes:   nothing
declare
    until   timestamptz := coalesce(to_at, now());
    since   timestamptz := coalesce(from_at, until - interval '1 hour');
    width   int := :api.bucket_minutes(since, until);
    step    interval := make_interval(mins => width);
    ids     uuid[] := :api.matching_queues(queue, null, null, scope);
    series  json;
    totals  json;
begin
    with removed as (
        select date_bin(step, r.at, 'epoch') as at, sum(r.retention) as retention, sum(r.completed_retention) as completed,
               sum(r.eviction) as eviction, count(*) as events
        from retention_minute r
        where r.at >= date_bin('1 minute', since, 'epoch')
          and r.at <= until
          and r.retention + r.completed_retention + r.eviction > 0
          and (ids is null or r.queue_id = any (ids))
        group by 1
    ), filled as (
        select t, coalesce(r.retention, 0) as retention, coalesce(r.completed, 0) as completed,
               coalesce(r.eviction, 0) as eviction, coalesce(r.events, 0) as events
        from generate_series(date_bin(step, since, 'epoch'), until, step) t
        left join removed r on r.at = t
    )
    select json_agg(json_build_object(
               'bucket', :api.iso_seconds(f.t), 'retentionMsgs', f.retention, 'completedRetentionMsgs', f.completed,
               'evictionMsgs', f.eviction, 'totalMsgs', f.retention + f.completed + f.eviction,
               'eventCount', f.events) order by f.t),
           json_build_object(
               'retentionMsgs', sum(f.retention), 'completedRetentionMsgs', sum(f.completed), 'evictionMsgs', sum(f.eviction),
               'totalMsgs', sum(f.retention + f.completed + f.eviction), 'eventCount', sum(f.events))
    into series, totals
    from filled f;

    return json_build_object(
        'timeRange', json_build_object('from', :api.iso_millis(since), 'to', :api.iso_millis(until)),
        'bucketMinutes', width, 'pointCount', json_array_length(series), 'series', series, 'totals', totals)::text;
end
$$;
