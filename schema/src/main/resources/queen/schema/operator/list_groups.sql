create function :api.list_groups("limit" bigint, "offset" bigint)
returns text
language sql stable
as $$
-- Promise:  every group with every queue it reads or asked for, from sums kept per queue and group: no lane is looked at.
-- Params:   the page.
-- Returns:  an array as in the contract, by group and queue; maxTimeLag is the age in seconds of the oldest unread message.
-- Locks:    none.
-- Writes:   nothing
with reader as (
    select g.group_name, q.name as queue_name, g.partitions, g.lagging, g.pending, g.finished, g.oldest_at, q.id as queue_id,
           q.namespace, q.task
    from queen.group_depth g
    join queen.queue q on q.id = g.queue_id
), listed as (
    select coalesce(r.group_name, s.group_name) as group_name, coalesce(r.queue_name, s.queue_name) as queue_name,
           coalesce(r.partitions, 0) as partitions, coalesce(r.lagging, 0) as lagging, coalesce(r.pending, 0) as pending,
           coalesce(r.finished, 0) as finished, r.oldest_at, r.queue_id, r.namespace, r.task,
           s.mode, s.from_at, s.subscribed_at
    from reader r
    full join (select s.* from queen.subscription s where s.queue_name <> '' and s.group_name <> '__QUEUE_MODE__') s
        on s.group_name = r.group_name and s.queue_name = r.queue_name
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
    'maxTimeLag', coalesce(a.age_s, 0),
    'state', case when a.age_s > 300 then 'Lagging' when l.finished > 0 then 'Stable' else 'Dead' end,
    'paused', exists (select from queen.group_pause p where p.queue_id = l.queue_id and p.group_name = l.group_name),
    'subscriptionMode', coalesce(l.mode, f.mode),
    'subscriptionTimestamp', :api.iso_millis(coalesce(l.from_at, f.from_at)),
    'subscriptionCreatedAt', :api.iso_millis(coalesce(l.subscribed_at, f.subscribed_at))
) order by l.group_name, l.queue_name), '[]')::text
from listed l
cross join lateral (select greatest(0, floor(extract(epoch from clock_timestamp() - l.oldest_at)))::bigint as age_s) a
left join lateral (
    select s.mode, s.from_at, s.subscribed_at
    from queen.subscription s
    where l.mode is null
      and s.group_name = l.group_name
      and s.queue_name = ''
      and s.namespace in ('', l.namespace)
      and s.task in ('', l.task)
    limit 1
) f on true
$$;
