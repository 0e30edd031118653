create function :api.open_cursors(partition_ids uuid[], group_names text[], from_ats timestamptz[])
returns table (index int)
language plpgsql volatile
as $$
-- Promise:  afterwards each group has a cursor in each lane that upkeep is not just working on: where it was, or else at the first
--           message kept (from_at null) or at the first message not older than from_at. Where the group has a subscription to the
--           queue itself, that one says from where. What expired before the group subscribed is not its concern.
-- Params:   arrays of equal length, one element per (lane, group).
-- Returns:  the input position of every lane that exists and whose queue is not just being deleted.
-- Locks:    queen.queue rows, for key share and never waiting; queen.queue_size rows; partition rows, for key share, or
--           partition_key rows, the same, never waiting, so that no cursor outlives its lane; then the new cursor rows, ascending.
-- Writes:   cursor, cursor_key, queen.subscription (of those who name no group), queen.queue_size, touched_lanes
#variable_conflict use_column
declare
    kept        uuid[];
    is_limited  boolean;
    lanes       uuid[];
    opened      uuid[];
    groups      text[];
    places      bigint[];
    added       bigint[];
    touched     text;
begin
    kept := array(
        select q.id
        from queen.queue q
        where q.id = any (array(
            select p.queue_id from unnest(partition_ids) as i (partition_id) cross join lateral (
                select v.* from partition v
                where v.id = i.partition_id
                order by v.generation desc limit 1
            ) p))
        order by q.id
        for key share skip locked);

    -- raise_sizes writes them when the cursors are there, but a seek, which wants both, takes them first.
    perform from queen.queue_size z where z.queue_id = any (kept) order by z.queue_id for update;
    is_limited := found;

    -- Not = any (kept): that would tempt a plan made early to go by the queue's index, over all its lanes.
    lanes := array(
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
    -- A lane that somebody locks is read all the same, unless that somebody is upkeep.
    lanes := lanes || array(
        select l.id
        from (
            select p.id
            from unnest(partition_ids) as i (partition_id)
            cross join lateral (
                select v.* from partition v
                where v.id = i.partition_id
                order by v.generation desc limit 1
            ) p
            where array_position(kept, p.queue_id) is not null
              and array_position(lanes, p.id) is null
            offset 0
        ) l
        cross join lateral (select from partition_key k where k.id = l.id for key share skip locked) k);

    perform :api.free_orphan_keys(partition_ids, group_names);
    with wanted as (
        select p.id, i.group_name,
               case when b.from_at is null then p.tail else coalesce((
                   select min(s.base) from segment s
                   where s.partition_id = p.id and s.created_at >= b.from_at), p.head) end as place
        from unnest(partition_ids, group_names, from_ats) as i (partition_id, group_name, from_at)
        cross join lateral (
            select v.* from partition v
            where v.id = i.partition_id
            order by v.generation desc limit 1
        ) p
        join queen.queue q on q.id = any (array[p.queue_id])
        cross join lateral (
            select :api.begins_at(q, i.group_name, i.from_at, clock_timestamp()) as from_at offset 0
        ) b
        where i.partition_id = any (lanes)
    )
    select array_agg(w.id), array_agg(w.group_name), array_agg(w.place)
    into opened, groups, places
    from wanted w;
    added := :api.insert_cursors(opened, groups, places);

    if added <> '{}' then
        opened := array(select opened[a] from unnest(added) a);
        groups := array(select groups[a] from unnest(added) a);
        -- Whoever reads a queue is subscribed to it, also those who name no group.
        with subscribed as (
            insert into queen.subscription (group_name, queue_name, namespace, task, mode)
            select distinct o.group_name, q.name, '', '', 'all'
            from unnest(opened, groups) as o (partition_id, group_name)
            cross join lateral (
                select v.* from partition v
                where v.id = o.partition_id
                order by v.generation desc limit 1
            ) p
            join queen.queue q on q.id = any (array[p.queue_id])
            where o.group_name = '__QUEUE_MODE__'
            on conflict do nothing
            returning queue_name
        )
        select :api.touch_queues(array(select s.queue_name from subscribed s)) into touched;

        -- A limit that was set meanwhile is doubted, and what is there counted, for some seconds.
        if is_limited then
            perform :api.raise_sizes(opened, groups);
        end if;
    end if;

    return query
    select i.index::int
    from unnest(partition_ids) with ordinality as i (partition_id, index)
    cross join lateral (select v.* from partition v where v.id = i.partition_id order by v.generation desc limit 1) p
    where array_position(kept, p.queue_id) is not null;
end
$$;
