create function :api.system_metrics(hostname text, worker_id text, from_at timestamptz, to_at timestamptz)
returns text
language plpgsql stable
as $$
-- Promise:  returns the resource usage of each server, by bucket.
-- Params:   hostname, worker_id: null for any; the range, by default the last hour.
-- Returns:  {timeRange, replicas: [{hostname, port, workerId, timeSeries: [{timestamp, sampleCount, metrics}]}], replicaCount,
--           bucketMinutes, pointCount}; each metric {avg, min, max, last}, cpu in hundredths of a percent of one core.
-- Locks:    none.
-- Writes:   nothing
declare
    until       timestamptz := coalesce(to_at, now());
    since       timestamptz := coalesce(from_at, until - interval '1 hour');
    width       int := :api.bucket_minutes(since, until);
    nothing     constant json := '{"avg": 0, "min": 0, "max": 0, "last": 0}';
    replicas    json;
    points      bigint;
begin
    with measured as (
        select g.server_id, g.at, max(g.samples) filter (where g.name = 'memory.rss_bytes') as samples,
               json_object_agg(g.name, json_build_object('avg', g.avg, 'min', g.min, 'max', g.max, 'last', g.last)) as m
        from :api.gauges_in(since, until, width, :api.matching_servers(hostname, worker_id)) g
        group by g.server_id, g.at
    ), described as (
        select x.server_id, count(*) as points, json_agg(json_build_object(
                   'timestamp', :api.iso_seconds(x.at), 'sampleCount', coalesce(x.samples, 0),
                   'metrics', json_build_object(
                       'cpu', json_build_object('user_us', coalesce(x.m -> 'cpu.user_us', nothing),
                                                'system_us', coalesce(x.m -> 'cpu.system_us', nothing)),
                       'memory', json_build_object('rss_bytes', coalesce(x.m -> 'memory.rss_bytes', nothing),
                                                   'virtual_bytes', coalesce(x.m -> 'memory.virtual_bytes', nothing)),
                       'database', json_build_object('pool_size', coalesce(x.m -> 'database.pool_size', nothing),
                                                     'pool_idle', coalesce(x.m -> 'database.pool_idle', nothing),
                                                     'pool_active', coalesce(x.m -> 'database.pool_active', nothing)),
                       'threadpool', json_build_object(
                           'db', json_build_object('pool_size', nothing,
                                                   'queue_size', coalesce(x.m -> 'calls.waiting', nothing)),
                           'system', json_build_object('pool_size', nothing, 'queue_size', nothing)),
                       'registries', json_build_object('response', coalesce(x.m -> 'pops.waiting', nothing)),
                       'shared_state', json_build_object(
                           'enabled', false, 'sidecar_ops', '{}'::json, 'queue_backoff', '{}'::json,
                           'queue_backoff_summary', '{}'::json, 'queue_config_cache', '{}'::json,
                           'consumer_presence', '{}'::json, 'server_health', '{}'::json, 'transport', '{}'::json)))
                   order by x.at) as series
        from measured x
        group by x.server_id
    )
    select json_agg(json_build_object('hostname', s.hostname, 'port', s.port, 'workerId', s.worker_id, 'timeSeries', t.series)
                    order by s.hostname, s.worker_id, s.started_at), max(t.points)
    into replicas, points
    from described t
    join queen.server s on s.id = t.server_id;

    return json_build_object(
        'timeRange', json_build_object('from', :api.iso_millis(since), 'to', :api.iso_millis(until)),
        'replicas', coalesce(replicas, '[]'), 'replicaCount', coalesce(json_array_length(replicas), 0),
        'bucketMinutes', width, 'pointCount', coalesce(points, 0))::text;
end
$$;
