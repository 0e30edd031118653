create function :api.store_dead_letters(
    partition_ids uuid[], group_names text[], message_offsets bigint[], queue_ids uuid[], partition_names text[],
    transaction_ids text[], lines bytea[], encryption_epoch bigint)
returns table (index int, error text)
language plpgsql volatile
set search_path = queen, pg_temp
as $$
-- Promise:  does what move_dead_letters does, for all dead letters or, if PostgreSQL rejects one, for none.
-- Params:   as in move_dead_letters.
-- Returns:  as in move_dead_letters; the only errors are a full queue and a queue that does not exist.
-- Locks:    queen.queue_size rows, ascending; then, shard by shard, partition rows, ascending by id.
-- Writes:   queen.queue_size, partition, partition_key, segment, dead_letter, dead_letter_change, touched_partitions
#variable_conflict use_column
declare
    targets     uuid[];
    limited     uuid[];
    is_first    boolean[];
    errors      text[] := array_fill(null::text, array[cardinality(partition_ids)]);
    part        record;
    batch       record;
    result      record;
    heads       bigint[];
    missing     uuid[];
    gone        record;
begin
    select array_agg(:api.partition_id(q.id, i.name) order by i.index), array_agg(case when q.max_size > 0 then q.id end order by i.index),
           array_agg(case when q.id is null then 'the queue does not exist' end order by i.index)
    into targets, limited, errors
    from unnest(queue_ids, partition_names) with ordinality as i (queue_id, name, index)
    left join queen.queue q on q.id = any (array[i.queue_id]);
    is_first := array(
        select i.transaction_id is null or row_number() over (partition by i.target, i.transaction_id order by i.index) = 1
        from unnest(targets, transaction_ids) with ordinality as i (target, transaction_id, index)
        order by i.index);
    perform from queen.queue_size z where z.queue_id = any (limited) order by z.queue_id for update;

    for part in
        select p.shard, p.indexes
        from :api.shard_parts(array(select coalesce(t, '00000000-0000-0000-0000-000000000000') from unnest(targets) t)) p
    loop
        perform :api.select_shard(part.shard);
        -- One segment per partition, with its messages in the order of the call.
        select array_agg(b.target) as ids, array_agg(b.queue_id) as queues, array_agg(b.name) as names, array_agg(b.limited_id) as limits,
               array_agg(b.count) as counts, array_agg(b.hashes) as hashes, array_agg(b.body) as bodies, array_agg(b.largest) as largest
        into batch
        from (
            select i.target, min(i.queue_id::text)::uuid as queue_id, min(i.name) as name, min(i.limited_id::text)::uuid as limited_id,
                   count(*)::int as count, string_agg(int8send(hashtextextended(i.transaction_id, 0)), '' order by i.index) as hashes,
                   string_agg(i.line, '' order by i.index) as body, max(octet_length(i.line)) as largest
            from unnest(targets, queue_ids, partition_names, limited, transaction_ids, lines, is_first)
                 with ordinality as i (target, queue_id, name, limited_id, transaction_id, line, is_first, index)
            where i.index = any (part.indexes)
              and i.is_first
              and i.target is not null
            group by i.target
            order by i.target
        ) b;
        continue when batch.ids is null;

        loop
            heads := array(
                select p.head
                from (select i.id from unnest(batch.ids) as i (id) order by i.id) i
                left join lateral (
                    select p.head from partition p where p.id = i.id order by p.generation desc limit 1 for no key update
                ) p on true
                order by i.id);
            exit when array_position(heads, null) is null;
            missing := array(select i.id from unnest(batch.ids, heads) as i (id, head) where i.head is null);
            if not :api.insert_partitions(batch.ids, batch.queues, batch.names) then
                perform :api.restore_partitions(missing);
            end if;
            if exists (
                select 1 from unnest(batch.queues) as i (id) where not exists (select 1 from queen.queue q where q.id = i.id offset 0)
            ) then
                raise exception 'a queue was deleted while dead letters were moved to it' using errcode = '40001';
            end if;
        end loop;

        for result in
            select batch.ids[p.index] as target, p.count, p.max_size
            from :api.push_bounded(
                batch.ids, heads, batch.counts, batch.hashes, batch.bodies, batch.largest, batch.limits, encryption_epoch) p
        loop
            -- Messages that do not fit are rejected from the end, as in push_bounded.
            with refused as (
                select i.index
                from (
                    select i.index, row_number() over (order by i.index) as place
                    from unnest(targets, is_first) with ordinality as i (target, is_first, index)
                    where i.target = result.target and i.is_first
                ) i
                where i.place > result.count
            )
            select array(
                select case when r.index is null then e.error else 'the queue is full: maxSize ' || result.max_size end
                from unnest(errors) with ordinality as e (error, index)
                left join refused r on r.index = e.index
                order by e.index)
            into errors;
        end loop;
        perform :api.touch_partitions(batch.ids, '{}');
    end loop;

    perform :api.select_shard(:api.shard_of(partition_ids[1]));
    with gone as (
        delete from dead_letter d
        using unnest(partition_ids, group_names, message_offsets, errors) as i (partition_id, group_name, message_offset, error)
        where i.error is null
          and d.partition_id = any (array[i.partition_id])
          and d.group_name = i.group_name
          and d.message_offset = i.message_offset
        returning d.queue_id, d.reason
    )
    select array_agg(g.queue_id) as queues, array_agg(g.reason) as reasons, count(*)::int as count into gone from gone g;
    if gone.count < (select count(*) from unnest(errors) as e (error) where e.error is null) then
        raise exception 'a dead letter was removed while it was moved' using errcode = '40001';
    end if;
    if gone.count > 0 then
        perform :api.record_dead_letter_changes(
            gone.queues, gone.reasons, array_fill(0::bigint, array[gone.count]), array_fill(-1::bigint, array[gone.count]));
    end if;
    return query select i.index::int, i.error from unnest(errors) with ordinality as i (error, index);
end
$$;
