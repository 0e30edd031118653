create function :api.waiting_pops_by_server(queue text, from_at timestamptz, to_at timestamptz, scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns the number of waiting pops by queue, server and bucket.
-- Params:   queue: null for the 50 busiest; the range, by default the last hour. scope: only these queues; null for all.
-- Returns:  {timeRange, bucketMinutes, pointCount, series (oldest first): [{bucket, queueName, hostname, workerId,
--           parkedCount}], replicas: [{hostname, workerId}]}
-- Locks:    none.
-- Writes:   nothing
declare
    until       timestamptz := coalesce(to_at, now());
    since       timestamptz := coalesce(from_at, until - interval '1 hour');
    width       int := :api.bucket_minutes(since, until);
    source      int := case when width >= 60 then 60 else 1 end;
    series      json;
    replicas    json;
begin
    with waiting_pops as (
        select date_bin(make_interval(mins => width), b.at, 'epoch') as at, q.name, s.hostname, s.worker_id, b.server_id,
               max(b.waiting_pops) as waiting_pops
        from unnest(:api.busy_queues(since, until, queue, scope)) u (id)
        join queen.queue_bucket b on b.queue_id = any (array[u.id])
        join queen.queue q on q.id = u.id
        join queen.server s on s.id = b.server_id
        where b.minutes = source
          and b.at >= date_bin(make_interval(mins => source), since, 'epoch')
          and b.at <= until
        group by 1, 2, 3, 4, 5
    )
    select (select json_agg(json_build_object(
                'bucket', :api.iso_seconds(p.at), 'queueName', p.name, 'hostname', p.hostname, 'workerId', p.worker_id,
                'parkedCount', p.waiting_pops) order by p.at, p.name, p.hostname, p.worker_id)
            from waiting_pops p),
           (select json_agg(json_build_object('hostname', r.hostname, 'workerId', r.worker_id))
            from (select distinct p.hostname, p.worker_id from waiting_pops p order by 1, 2) r)
    into series, replicas;

    return json_build_object(
        'timeRange', json_build_object('from', :api.iso_millis(since), 'to', :api.iso_millis(until)),
        'bucketMinutes', width, 'pointCount', coalesce(json_array_length(series), 0),
        'series', coalesce(series, '[]'), 'replicas', coalesce(replicas, '[]'))::text;
end
$$;
