create function :api.apply_eviction(partitions_max int, messages_max int)
returns table (partitions int, evicted bigint)
language plpgsql volatile
as $$
-- Promise:  evicts messages that waited longer than their queue allows, for every group that has not finished them, including subscribed
--           groups without a cursor in the partition. In a queue without groups they are deleted.
-- Params:   the maximum number of partitions to check; about how many messages to evict.
-- Returns:  one row: partitions checked, 0 if nothing is due; messages evicted, once per group.
-- Locks:    partition_upkeep rows; partition rows, for key share, or for update in queues without groups; queen.queue_size rows; cursor
--           rows; all ascending and without waiting; then queen.trace_name rows.
-- Writes:   what evict_cursors, open_subscribed_cursors and move_tails write; partition_upkeep, retention_minute
#variable_conflict use_column
declare
    at          timestamptz := clock_timestamp();
    due         uuid[];
    free        uuid[];
    cursors     uuid[];
    groups      text[];
    unread      uuid[];
    unread_id   uuid;
    emptied     uuid[];
    tails       bigint[];
    gone        record;
    queues      uuid[];
    counts      bigint[];
begin
    due := array(
        select u.partition_id
        from partition_upkeep u
        where u.kind = 'eviction'
          and u.due_at <= at
        order by u.due_at
        limit partitions_max
        for update skip locked);
    partitions := cardinality(due);
    evicted := 0;
    if partitions = 0 then
        return next;
        return;
    end if;

    free := array(
        select p.id
        from unnest(due) as i (partition_id)
        join partition p on p.id = any (array[i.partition_id])
        order by i.partition_id
        for key share of p skip locked);
    free := :api.lock_all_cursors(:api.open_subscribed_cursors(free));

    select array_agg(c.partition_id), array_agg(c.group_name)
    into cursors, groups
    from unnest(free) as i (partition_id)
    join cursor c on c.partition_id = any (array[i.partition_id]);
    if cursors is not null then
        select array_agg(e.queue_id), array_agg(e.evicted), coalesce(sum(e.evicted), 0)
        into queues, counts, evicted
        from :api.evict_cursors(cursors, groups, messages_max) e;
    end if;

    unread := array(select f from unnest(free) f where f <> all (coalesce(cursors, '{}')));
    free := array(select f from unnest(free) f where f = any (cursors));
    unread := :api.lock_partitions(unread);
    foreach unread_id in array unread loop
        exit when evicted >= messages_max;
        for gone in select e.queue_id, e.evicted, e.tail from :api.evict_unread(unread_id, at) e loop
            evicted := evicted + gone.evicted;
            emptied := emptied || unread_id;
            tails := tails || gone.tail;
            queues := queues || gone.queue_id;
            counts := counts || gone.evicted;
        end loop;
    end loop;
    if emptied is not null then
        perform :api.move_tails(emptied, tails);
    end if;

    -- In one statement and ordered, because pops that evict write these rows, too.
    insert into retention_minute as m (at, queue_id, eviction)
    select date_trunc('minute', at), n.queue_id, sum(n.count)
    from unnest(queues, counts) as n (queue_id, count)
    where n.count > 0
    group by n.queue_id
    order by n.queue_id
    on conflict (at, queue_id) do update set eviction = m.eviction + excluded.eviction;

    perform :api.reschedule_upkeep(due, free || unread, 'eviction', at);
    return next;
end
$$;
