create function :api.apply_eviction(partitions_max int, messages_max int)
returns table (partitions int, evicted bigint)
language plpgsql volatile
as $$
-- Promise:  messages that waited longer than their queue allows leave the way of every group that has not finished them, those
--           that are subscribed and have not come to the partition yet included. Where nobody reads a queue they leave the log.
-- Params:   how many partitions to look at, and about how many messages to evict.
-- Returns:  one row: partitions looked at, 0 when nothing is due any more; messages evicted, once for each group.
-- Locks:    partition_upkeep rows; partition rows, for key share, or for update where nobody reads; queen.queue_size rows;
--           cursor rows; all ascending, and waits for none; then queen.trace_name rows.
-- Writes:   what evict_cursors, open_subscribed and move_tails write; partition_upkeep, retention_minute
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
    free := :api.take_cursors(:api.open_subscribed(free));

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
    unread := :api.take_partitions(unread);
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

    -- All at once and in order, because pops that evict write here, too.
    insert into retention_minute as m (at, queue_id, eviction)
    select date_trunc('minute', at), n.queue_id, sum(n.count)
    from unnest(queues, counts) as n (queue_id, count)
    where n.count > 0
    group by n.queue_id
    order by n.queue_id
    on conflict (at, queue_id) do update set eviction = m.eviction + excluded.eviction;

    perform :api.look_again(due, free || unread, 'eviction', at);
    return next;
end
$$;
