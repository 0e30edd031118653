create function :api.delete_idle_partitions(idle_days int, partitions_max int)
returns table (partitions int, deleted int)
language plpgsql volatile
as $$
-- Promise:  deletes empty partitions without activity for idle_days days, with their cursors and the state of stream queries in them. A
--           push to a deleted partition creates it again, with offsets that no partition of the queue has used. Partitions with dead
--           letters stay, and those that an operator paused.
-- Params:   idle_days; the maximum number of partitions to check.
-- Returns:  one row: partitions checked, 0 if no more are due; partitions deleted.
-- Locks:    partition_upkeep rows; queen.queue rows, for no key update; what lock_partitions and lock_all_cursors lock; all ascending and
--           without waiting; then stream_partition rows, which a cycle locks for a moment.
-- Writes:   queen.queue (partition_floor), partition, segment, cursor, failure, stream_partition, stream_state, queen.trace*, partition_upkeep, retention_minute, touched_partitions
#variable_conflict use_column
declare
    at      timestamptz := clock_timestamp();
    before  timestamptz := at - make_interval(days => idle_days);
    soon    timestamptz := before + interval '1 minute';
    minute  timestamptz := date_trunc('minute', at);
    due     uuid[];
    queues  uuid[];
    wanted  uuid[];
    free    uuid[];
    gone    uuid[];
    floors  record;
begin
    due := array(
        select u.partition_id
        from partition_upkeep u
        where u.kind = 'idle'
          and u.due_at <= before
        order by u.due_at
        limit partitions_max
        for update skip locked);
    partitions := cardinality(due);
    deleted := 0;
    if partitions = 0 then
        return next;
        return;
    end if;
    queues := array(select distinct u.queue_id from partition_upkeep u where u.partition_id = any (due) and u.kind = 'idle');
    queues := array(select q.id from queen.queue q where q.id = any (queues) order by q.id for no key update skip locked);
    wanted := array(
        select u.partition_id
        from partition_upkeep u
        where u.partition_id = any (due)
          and u.kind = 'idle'
          and array_position(queues, u.queue_id) is not null);
    free := :api.lock_all_cursors(:api.lock_partitions(wanted));
    gone := array(
        select p.id
        from unnest(free) as i (partition_id)
        join partition p on p.id = any (array[i.partition_id])
        where p.head = p.tail
          and p.active_at <= before
          and not p.is_paused
          and not exists (select 1 from dead_letter d where d.partition_id = p.id)
          and not exists (select 1 from cursor c where c.partition_id = p.id and c.lease_until > at));
    deleted := cardinality(gone);

    select array_agg(l.queue_id) as queues, array_agg(l.head) as heads
    into floors
    from (
        select p.queue_id, max(p.head) as head
        from unnest(gone) as i (partition_id)
        cross join lateral (select p.queue_id, p.head from partition p where p.id = i.partition_id offset 0) p
        group by p.queue_id
    ) l;
    if floors.queues is not null then
        update queen.queue q
        set partition_floor = greatest(q.partition_floor, l.head)
        from unnest(floors.queues, floors.heads) as l (queue_id, head)
        where q.id = any (array[l.queue_id]);
    end if;

    insert into retention_minute as m (at, queue_id, partitions_deleted)
    select minute, u.queue_id, count(*)
    from partition_upkeep u
    where u.partition_id = any (gone)
      and u.kind = 'idle'
    group by u.queue_id
    order by u.queue_id
    on conflict (at, queue_id) do update set partitions_deleted = m.partitions_deleted + excluded.partitions_deleted;
    perform :api.touch_partitions(gone, '{}');
    -- Includes segments with removed messages.
    perform :api.remove_partitions(gone);
    perform :api.delete_traces(gone, array_fill(0::bigint, array[deleted]), array_fill(9223372036854775807, array[deleted]));

    -- Partitions that are not empty are scheduled again when they are. Empty ones that must stay for now are checked again after idle_days,
    -- locked ones in a minute.
    delete from partition_upkeep u
    where u.partition_id = any (due)
      and u.kind = 'idle'
      and not exists (select 1 from partition p where p.id = u.partition_id and p.head = p.tail);
    update partition_upkeep u
    set due_at = case when u.partition_id = any (free) then at else soon end
    where u.partition_id = any (due)
      and u.kind = 'idle';
    return next;
end
$$;
