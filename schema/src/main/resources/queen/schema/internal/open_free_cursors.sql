create function :api.open_free_cursors(partition_ids uuid[], group_names text[], from_ats timestamptz[])
returns void
language plpgsql volatile
set lock_timeout = '5ms'
as $$
-- Promise:  each group has a cursor in its lane, placed as open_cursors does, where that needs to wait for nobody: left out, and for
--           open_cursors to do, are lanes that somebody locks, queues that have a limit or are just being deleted, and all of
--           them when somebody else is opening one of them in a transaction that does not end in a moment.
-- Params:   arrays of equal length, each (lane, group) once; a null lane is left out.
-- Returns:  nothing.
-- Locks:    queen.queue rows and partition rows, for key share, never waiting, so that no cursor outlives its lane; then the new
--           cursor_key and cursor rows, ascending by (partition_id, group_name), waiting for a moment only.
-- Writes:   cursor, cursor_key, queen.subscription (of those who name no group), touched_lanes
#variable_conflict use_column
declare
    kept    uuid[];
    lanes   uuid[];
    groups  text[];
    froms   timestamptz[];
    queues  uuid[];
begin
    -- A key without its cursor, as after a restore of some tables, is for open_cursors, too.
    select array_agg(i.partition_id), array_agg(i.group_name), array_agg(i.from_at)
    into lanes, groups, froms
    from unnest(partition_ids, group_names, from_ats) as i (partition_id, group_name, from_at)
    where i.partition_id is not null
      and not exists (
          select 1 from cursor_key k where k.partition_id = i.partition_id and k.group_name = i.group_name offset 0);
    if lanes is null then
        return;
    end if;

    select array_agg(l.id), array_agg(l.group_name), array_agg(l.from_at), array_agg(l.queue_id)
    into lanes, groups, froms, queues
    from (
        select p.id, p.queue_id, i.group_name, i.from_at
        from (
            select i.*
            from unnest(lanes, groups, froms) as i (partition_id, group_name, from_at)
            order by i.partition_id, i.group_name
        ) i
        cross join lateral (
            select p.id, p.queue_id
            from partition p
            where p.id = i.partition_id
            order by p.generation desc
            limit 1
            for key share skip locked
        ) p
    ) l;
    -- What open_cursors locks first comes second here, but nobody is waited for.
    kept := array(
        select i.id
        from unnest(queues) as i (id)
        where not exists (select 1 from queue_size z where z.queue_id = i.id offset 0));
    kept := :api.keep_queues(kept);
    select array_agg(i.partition_id), array_agg(i.group_name), array_agg(i.from_at), array_agg(i.queue_id)
    into lanes, groups, froms, queues
    from unnest(lanes, groups, froms, queues) as i (partition_id, group_name, from_at, queue_id)
    where i.queue_id = any (kept);
    if lanes is null then
        return;
    end if;

    perform :api.insert_cursors(lanes, groups, :api.places_of(lanes, queues, groups, froms));
    if '__QUEUE_MODE__' = any (groups) then
        perform :api.subscribe_nameless(array(
            select i.queue_id from unnest(queues, groups) as i (queue_id, group_name) where i.group_name = '__QUEUE_MODE__'));
    end if;
exception when lock_not_available then
    null;
end
$$;
