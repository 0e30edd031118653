create function :api.evict_unread(target_id uuid, at timestamptz)
returns table (queue_id uuid, evicted bigint, tail bigint)
language plpgsql volatile
as $$
-- Promise:  in a partition without groups, makes the messages of the oldest segments that waited too long dead letters of consumers without
--           a group (__QUEUE_MODE__), if the queue has a dead letter queue. The caller then moves the tail.
-- Params:   a partition that the caller has locked, so that no cursor is created; at: the time by which to judge.
-- Returns:  the queue of the partition, the number of evicted messages, and the new tail; no row if none is evicted.
-- Locks:    none of its own.
-- Writes:   dead_letter
#variable_conflict use_column
declare
    stale record;
begin
    select p.queue_id, p.tail, s."end", a.age, q.dead_letter_queue as is_dead_lettered, coalesce(p.removed, '{}') as removed
    into stale
    from partition p
    cross join lateral (select q.* from queue q where q.id = p.queue_id offset 0) q
    cross join lateral (select :api.eviction_age(q.max_wait_time_s, q.ttl_s) as age) a
    cross join lateral (
        select max(s.base + s.count) filter (where s.created_at <= at - make_interval(secs => a.age)) as "end"
        from (
            select s.base, s.count, s.created_at
            from segment s
            where s.partition_id = p.id
              and s.base >= coalesce((
                  select max(b.base) from segment b where b.partition_id = p.id and b.base <= p.tail), p.tail)
            order by s.base
            limit case when q.dead_letter_queue then 1 else 100 end
        ) s
    ) s
    where p.id = target_id
      and p.tail < p.head
      and a.age is not null
      and not exists (select 1 from cursor c where c.partition_id = p.id);
    if stale."end" is null then
        return;
    end if;

    if stale.is_dead_lettered then
        perform :api.insert_expired_letters(
            array[target_id], array['__QUEUE_MODE__'], array[stale.tail], array[stale."end"], array[stale.removed],
            array['expired: not finished within ' || stale.age || ' seconds']);
    end if;
    queue_id := stale.queue_id;
    evicted := :api.unread(stale.tail, stale."end", null, stale.removed);
    tail := stale."end";
    return next;
end
$$;
