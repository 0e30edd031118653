create function :api.open_cursors(partition_ids uuid[], group_names text[], from_ats timestamptz[])
returns table (index int)
language plpgsql volatile
as $$
-- Promise:  creates the missing cursors of groups in partitions, except in partitions that upkeep has locked: at the first stored message
--           (from_at null) or at the first message not older than from_at. A subscription of the group to the queue itself takes precedence
--           over from_at. Messages that expired before the group subscribed are not delivered to it.
-- Params:   arrays of equal length, one element per (partition, group).
-- Returns:  the input position of every partition that exists and whose queue is not being deleted.
-- Locks:    queen.queue rows, for key share, never waiting; queen.queue_size rows; partition rows or partition_key rows, for key share,
--           never waiting, so that no cursor outlives its partition; then the new cursor rows, ascending.
-- Writes:   cursor, cursor_key, queen.subscription (of consumers without a group), queen.queue_size, touched_partitions
#variable_conflict use_column
declare
    kept        uuid[];
    is_limited  boolean;
    partitions  uuid[];
    opened      uuid[];
    groups      text[];
    queues      uuid[];
    froms       timestamptz[];
    tails       bigint[];
    heads       bigint[];
    added       bigint[];
begin
    kept := array(
        select p.queue_id
        from unnest(partition_ids) as i (partition_id)
        cross join lateral :newest_partition(i.partition_id) p);
    kept := :api.lock_queues(kept);

    -- raise_queue_sizes updates these rows later. They are locked first, because a seek locks them before cursors.
    perform from queen.queue_size z where z.queue_id = any (kept) order by z.queue_id for update;
    is_limited := found;

    -- Not = any (kept): a plan made on an empty table might then scan the queue's index over all its partitions.
    partitions := array(
        select p.id
        from (
            select i.partition_id
            from unnest(partition_ids) as i (partition_id)
            order by i.partition_id
        ) i
        cross join lateral (
            select p.id
            from partition p
            where p.id = i.partition_id
              and array_position(kept, p.queue_id) is not null
            order by p.generation desc
            limit 1
            for key share skip locked
        ) p);
    -- A partition locked by another transaction is included, unless upkeep has locked its key.
    partitions := partitions || array(
        select l.id
        from (
            select p.id
            from unnest(partition_ids) as i (partition_id)
            cross join lateral :newest_partition(i.partition_id) p
            where array_position(kept, p.queue_id) is not null
              and array_position(partitions, p.id) is null
            offset 0
        ) l
        cross join lateral (select 1 from partition_key k where k.id = l.id for key share skip locked) k);

    perform :api.delete_orphan_keys(partition_ids, group_names);
    select array_agg(p.id), array_agg(p.queue_id), array_agg(i.group_name), array_agg(i.from_at), array_agg(p.tail), array_agg(p.head)
    into opened, queues, groups, froms, tails, heads
    from unnest(partition_ids, group_names, from_ats) as i (partition_id, group_name, from_at)
    cross join lateral :newest_partition(i.partition_id) p
    where i.partition_id = any (partitions);
    if opened is not null then
        added := :api.insert_cursors(opened, groups, :api.start_offsets(opened, queues, groups, froms, tails, heads));
        perform :api.subscribe_queue_mode(array(select queues[a] from unnest(added) a where groups[a] = '__QUEUE_MODE__'));
        -- A limit that was set meanwhile is covered by uncertain_until: pushes count the messages for some seconds.
        if is_limited and added <> '{}' then
            perform :api.raise_queue_sizes(array(select opened[a] from unnest(added) a), array(select groups[a] from unnest(added) a));
        end if;
    end if;

    return query
    select i.index::int
    from unnest(partition_ids) with ordinality as i (partition_id, index)
    cross join lateral :newest_partition(i.partition_id) p
    where array_position(kept, p.queue_id) is not null;
end
$$;
