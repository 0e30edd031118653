create function :api.open_subscribed_cursors(partition_ids uuid[])
returns uuid[]
language plpgsql volatile
as $$
-- Promise:  creates the missing cursors of subscribed groups in partitions whose messages expire, at their start positions. Messages that
--           had expired before the group subscribed are not delivered to it.
-- Params:   partitions that the caller has locked, so that they stay.
-- Returns:  the partitions that were processed; not those of queues whose size is locked by another transaction.
-- Locks:    queen.queue_size rows, never waiting; then the new cursor rows, ascending by (partition_id, group_name).
-- Writes:   cursor, queen.queue_size, touched_partitions
#variable_conflict use_column
declare
    queues      uuid[];
    sized       uuid[];
    partitions  uuid[];
    opened      uuid[];
    groups      text[];
    places      bigint[];
    added       bigint[];
begin
    queues := array(
        select distinct z.queue_id
        from partition p
        join queen.queue_size z on z.queue_id = any (array[p.queue_id])
        where p.id = any (partition_ids));
    if cardinality(queues) > 0 then
        sized := array(select z.queue_id from queen.queue_size z where z.queue_id = any (queues) order by z.queue_id for update skip locked);
    end if;
    partitions := array(
        select i.partition_id
        from unnest(partition_ids) as i (partition_id)
        cross join lateral (select p.queue_id from partition p where p.id = i.partition_id offset 0) p
        where p.queue_id = any (sized)
           or not exists (select 1 from queen.queue_size z where z.queue_id = p.queue_id offset 0)
        order by i.partition_id);

    with wanted as (
        select distinct on (i.partition_id, s.group_name) i.partition_id, s.group_name,
               :offset_at(p.id, p.tail, p.head,
                          greatest(s.from_at, s.subscribed_at - make_interval(secs => a.age) + interval '1 microsecond')) as place
        from unnest(partitions) as i (partition_id)
        join partition p on p.id = any (array[i.partition_id])
        cross join lateral (select q.* from queen.queue q where q.id = p.queue_id offset 0) q
        cross join lateral (select :api.eviction_age(q.max_wait_time_s, q.ttl_s) as age) a
        join queen.subscription s on s.queue_name = any (array[q.name, ''])
        where a.age is not null
          and (s.queue_name <> '' or (s.namespace = '' or s.namespace = q.namespace) and (s.task = '' or s.task = q.task))
          and not exists (select 1 from cursor c where c.partition_id = p.id and c.group_name = s.group_name offset 0)
        order by i.partition_id, s.group_name, s.subscribed_at
    )
    select array_agg(w.partition_id), array_agg(w.group_name), array_agg(w.place)
    into opened, groups, places
    from wanted w;

    if opened is not null then
        added := :api.insert_cursors(opened, groups, places);
        opened := array(select opened[a] from unnest(added) a);
        groups := array(select groups[a] from unnest(added) a);
        perform :api.raise_queue_sizes(opened, groups);
        perform :api.touch_partitions(opened, '{}');
    end if;
    return partitions;
end
$$;
