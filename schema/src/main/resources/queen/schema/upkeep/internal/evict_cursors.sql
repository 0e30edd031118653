create function :api.evict_cursors(partition_ids uuid[], group_names text[], messages_max int)
returns table (index int, queue_id uuid, evicted bigint, is_more boolean)
language plpgsql volatile
as $$
-- Promise:  evicts unread messages that waited longer than their queue allows for each group: they become dead letters if the queue has a
--           dead letter queue, otherwise they are dropped. Messages under a live lease stay until the lease ends.
-- Params:   arrays of equal length, each (partition, group) once; messages_max: about how many messages to evict.
-- Returns:  one row per cursor with such messages; is_more: some are left.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor, failure, dead_letter, touched_partitions
#variable_conflict use_column
declare
    at      timestamptz;
    held    bigint[];
    stale   record;
    touched uuid[] := '{}';
begin
    held := :api.lock_free_cursors(partition_ids, group_names);
    at := clock_timestamp();

    for stale in
        select i.index, i.partition_id, i.group_name, q.id as queue_id, a.age, s.first, s."end",
               case when q.dead_letter_queue then
                    'expired: not finished within ' || a.age || ' seconds' end as error
        from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
        cross join lateral :newest_cursor(i.partition_id, i.group_name) c
        cross join lateral :newest_partition(i.partition_id) p
        join queue q on q.id = any (array[p.queue_id])
        cross join lateral (select :api.eviction_age(q.max_wait_time_s, q.ttl_s) as age) a
        cross join lateral (
            select greatest(c.committed, p.tail) as first,
                   max(s.base + s.count) filter (where s.created_at <= at - make_interval(secs => a.age)) as "end"
            from (
                select s.base, s.count, s.created_at
                from segment s
                where s.partition_id = p.id
                  and s.base >= coalesce((
                      select max(b.base) from segment b
                      where b.partition_id = p.id and b.base <= greatest(c.committed, p.tail)), p.tail)
                order by s.base
                -- Reads at most as many segments as one call may evict.
                limit 100
            ) s
        ) s
        where i.index = any (held)
          and a.age is not null
          and greatest(c.committed, p.tail) < p.head
          and (c.lease_id is null or c.lease_until <= at)
          and s."end" > s.first
        order by i.index
    loop
        index := stale.index;
        queue_id := stale.queue_id;
        evicted := 0;
        is_more := true;
        if messages_max > 0 then
            evicted := :api.advance_past(
                array[stale.partition_id], array[stale.group_name], array[least(stale."end", stale.first + messages_max)],
                array[stale.error]);
            messages_max := messages_max - evicted;
            touched := touched || stale.partition_id;
            is_more := exists (
                select 1
                from cursor c
                cross join lateral (
                    select s.base, s.count, s.created_at from segment s
                    where s.partition_id = c.partition_id and s.base <= c.committed
                    order by s.base desc limit 1
                ) s
                where c.partition_id = stale.partition_id
                  and c.group_name = stale.group_name
                  and c.committed < s.base + s.count
                  and s.created_at <= at - make_interval(secs => stale.age));
        end if;
        return next;
    end loop;
    perform :api.touch_partitions(touched, '{}');
end
$$;
