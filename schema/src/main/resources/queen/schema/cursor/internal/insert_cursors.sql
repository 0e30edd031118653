create function :api.insert_cursors(
    partition_ids uuid[], group_names text[], places bigint[],
    lease_ids uuid[] default null, untils timestamptz[] default null, ends bigint[] default null, alone boolean[] default null,
    completed bigint[] default null, at timestamptz default null)
returns bigint[]
language plpgsql volatile
as $$
-- Promise:  creates the missing cursors at the given offsets; existing cursors are not changed. No other routine inserts into cursor.
-- Params:   arrays of equal length, each (partition, group) once. lease_ids, untils, ends, alone: the initial lease of a cursor, null for
--           none; completed, at: how many messages before the offset were finished at delivery, and when.
-- Returns:  the input positions of the new cursors, ascending. QN400: a group without a subscription is named . or ..
-- Locks:    the new cursor_key and cursor rows, ascending by (partition_id, group_name); waits for a transaction that is inserting the same
--           key.
-- Writes:   cursor, cursor_key
#variable_conflict use_column
declare
    added       bigint[] := '{}';
    partitions  uuid[] := '{}';
    groups      text[] := '{}';
    key         record;
begin
    if group_names && array['.', '..'] then
        perform :api.reject_dot_names(array(
            select g.name from unnest(group_names) as g (name)
            where not exists (select 1 from queen.subscription s where s.group_name = g.name)), 'the consumer group');
    end if;
    for key in
        insert into cursor_key (partition_id, group_name)
        select i.partition_id, i.group_name
        from unnest(partition_ids, group_names) as i (partition_id, group_name)
        order by i.partition_id, i.group_name
        on conflict do nothing
        returning partition_id, group_name
    loop
        partitions := partitions || key.partition_id;
        groups := groups || key.group_name;
        added := added || cardinality(partitions)::bigint;
    end loop;
    if partitions = '{}' then
        return added;
    end if;

    if cardinality(partitions) < cardinality(partition_ids) then
        added := array(
            select i.index
            from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
            join unnest(partitions, groups) as k (partition_id, group_name)
              on k.partition_id = i.partition_id and k.group_name = i.group_name
            order by i.index);
    end if;
    insert into cursor (
        partition_id, group_name, committed, lease_id, lease_until, lease_end, is_alone, completed_count, last_ack_at)
    select i.partition_id, i.group_name, i.place, i.lease_id, i.until_at, i."end", coalesce(i.is_alone, false), coalesce(i.completed, 0),
           case when i.completed > 0 then at end
    from unnest(partition_ids, group_names, places, lease_ids, untils, ends, alone, completed)
         with ordinality as i (partition_id, group_name, place, lease_id, until_at, "end", is_alone, completed, index)
    -- Reading a table of the shard makes Citus insert on the right node.
    cross join (select 1 from depth_turn d order by d.generation desc limit 1) t
    where cardinality(added) = cardinality(partition_ids) or i.index = any (added);
    return added;
end
$$;
