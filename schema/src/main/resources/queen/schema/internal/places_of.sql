create function :api.places_of(partition_ids uuid[], queue_ids uuid[], group_names text[], from_ats timestamptz[])
returns bigint[]
language plpgsql stable
as $$
-- Promise:  where each group begins in a lane in which it has no cursor: at the first message kept, or at the first message not
--           older than begins_at says.
-- Params:   arrays of equal length; lanes that exist, and their queues.
-- Returns:  the offsets, in the same order.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    at          timestamptz := clock_timestamp();
    queues      uuid[];
    groups      text[];
    froms       timestamptz[];
    names       text[];
    ages        int[];
    begins      timestamptz[];
begin
    -- Many lanes are of few queues and groups: what those begin with is asked once.
    select array_agg(d.queue_id), array_agg(d.group_name), array_agg(d.from_at), array_agg(q.name),
           array_agg(:api.eviction_age(q.max_wait_time_s, q.ttl_s))
    into queues, groups, froms, names, ages
    from (
        select distinct i.queue_id, i.group_name, i.from_at
        from unnest(queue_ids, group_names, from_ats) as i (queue_id, group_name, from_at)
    ) d
    join queue q on q.id = any (array[d.queue_id]);
    begins := array(
        select :begins_at(d.name, d.age, d.group_name, d.from_at, at)
        from unnest(groups, froms, names, ages) with ordinality as d (group_name, from_at, name, age, index)
        order by d.index);
    return array(
        select case when d.begins is null then p.tail else coalesce((
                   select min(s.base) from segment s
                   where s.partition_id = i.partition_id and s.created_at >= d.begins), p.head) end
        from unnest(partition_ids, queue_ids, group_names, from_ats)
             with ordinality as i (partition_id, queue_id, group_name, from_at, index)
        join unnest(queues, groups, froms, begins) as d (queue_id, group_name, from_at, begins)
          on d.queue_id = i.queue_id and d.group_name = i.group_name and d.from_at is not distinct from i.from_at
        cross join lateral (
            select v.tail, v.head from partition v
            where v.id = i.partition_id
            order by v.generation desc limit 1
        ) p
        order by i.index);
end
$$;
