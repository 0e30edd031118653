create function :api.start_offsets(
    partition_ids uuid[], queue_ids uuid[], group_names text[], from_ats timestamptz[], tails bigint[], heads bigint[])
returns bigint[]
language plpgsql stable
as $$
-- Promise:  returns the offset at which each group starts in a partition where it has no cursor: the first stored message, or the first
--           message not older than begins_at.
-- Params:   arrays of equal length: existing partitions, their queues, groups, start times, tails and heads.
-- Returns:  the offsets, in the same order; null if the queue is null.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    at          timestamptz := clock_timestamp();
    queues      uuid[];
    groups      text[];
    froms       timestamptz[];
    begins      timestamptz[];
begin
    -- Many partitions belong to few queues and groups: the start time is computed once per queue and group.
    select array_agg(d.queue_id), array_agg(d.group_name), array_agg(d.from_at), array_agg(d.begins)
    into queues, groups, froms, begins
    from (
        select d.queue_id, d.group_name, d.from_at,
               :begins_at(q.name, :api.eviction_age(q.max_wait_time_s, q.ttl_s), d.group_name, d.from_at, at) as begins
        from (
            select distinct i.queue_id, i.group_name, i.from_at
            from unnest(queue_ids, group_names, from_ats) as i (queue_id, group_name, from_at)
            where i.queue_id is not null
        ) d
        join queue q on q.id = any (array[d.queue_id])
    ) d;
    if array_remove(begins, null) = '{}' and array_position(queue_ids, null) is null then
        return tails;
    end if;
    return array(
        select case when d.queue_id is null then null
                    when d.begins is null then i.tail
                    else :offset_at(i.partition_id, i.tail, i.head, d.begins) end
        from unnest(partition_ids, queue_ids, group_names, from_ats, tails, heads)
             with ordinality as i (partition_id, queue_id, group_name, from_at, tail, head, index)
        left join unnest(queues, groups, froms, begins) as d (queue_id, group_name, from_at, begins)
          on d.queue_id = i.queue_id and d.group_name = i.group_name and d.from_at is not distinct from i.from_at
        order by i.index);
end
$$;
