create function :api.claim_redrive(of_redrive uuid, batch int)
returns table (
    redrive_id uuid, partition_id uuid, group_name text, message_offset bigint, failed_at timestamptz, transaction_id text,
    line bytea, to_queue_id uuid, to_queue text, to_partition text, to_partition_id uuid,
    is_encrypted boolean, is_binding boolean, encryption_epoch bigint)
language plpgsql volatile
:plans_by_key
as $$
-- Promise:  returns the next dead letters of a redrive and locks them, so that the same transaction can move them; finishes a redrive
--           without further dead letters. All of them are in one shard: a redrive processes the shards in ascending order, and in each the
--           oldest failure first, so across shards a later failure may precede an older one. It never skips a dead letter that another
--           transaction has locked: it waits a second. It also waits while pushes are switched off.
-- Params:   the redrive, as next_redrive returned it in this transaction; batch: the maximum number of dead letters; in total they have not
--           much more than four megabytes.
-- Returns:  the dead letters, in the order in which they are moved, and the target of each: to_queue_id is null if the target queue does
--           not exist; is_encrypted: the target queue stores messages encrypted, as of encryption_epoch; is_binding: they are bound to
--           their positions. No rows if there is nothing to do.
-- Locks:    the dead_letter rows, never waiting.
-- Writes:   queen.redrive; the search_path of the transaction is set to that shard
#variable_conflict use_column
declare
    r           queen.redrive;
    shard_name  text;
    target_id   uuid;
    next        record;
    held        bigint[];
    free        bigint;
    at          timestamptz := clock_timestamp();
begin
    if (select s.push_maintenance from queen.system_state s where s.is_the_only_row) then
        update queen.redrive x
        set next_at = at + interval '1 second', waiting_for = 'pushes are switched off for maintenance',
            last_error = 'pushes are switched off for maintenance'
        where x.id = of_redrive;
        return;
    end if;
    loop
        select r.* into strict r from queen.redrive r where r.id = of_redrive;
        select s.name into shard_name from queen.shard s where s.number = r.shard;
        if not found then
            update queen.redrive x set status = 'finished', finished_at = at where x.id = r.id;
            return;
        end if;
        perform set_config('search_path', format('%I, queen', shard_name), true);
        target_id := :api.partition_id(r.queue_id, r.partition_name);

        select array_agg(f.partition_id order by f.place) as partition_ids, array_agg(f.group_name order by f.place) as group_names,
               array_agg(f.message_offset order by f.place) as message_offsets, count(*) as count
        into next
        from (
            select n.*, sum(n.bytes) over (order by n.place) - n.bytes as before
            from (
                select d.partition_id, d.group_name, d.message_offset, octet_length(d.line) as bytes,
                       row_number() over (order by d.failed_at, d.partition_id, d.group_name, d.message_offset) as place
                from dead_letter d
                where :matches_filter(d, r.queue_id, target_id, r.partition_name, r.group_name, r.error, r.from_at, r.to_at, r.transaction_ids,
                                 r.sealed_errors)
                  and d.failed_at >= greatest(r.from_at, r.after_failed_at)
                  and d.failed_at <= least(r.to_at, r.created_at)
                  and (d.failed_at, d.partition_id, d.group_name, d.message_offset)
                    > (r.after_failed_at, r.after_partition_id, r.after_group_name, r.after_message_offset)
                order by d.failed_at, d.partition_id, d.group_name, d.message_offset
                limit least(batch, case when r.rate_per_second is not null then greatest(r.rate_per_second / 2, 1) end,
                            r.letters_max - r.redriven - r.refused)
            ) n
        ) f
        where f.before < 4 << 20;
        exit when next.count > 0;

        update queen.redrive x
        set shard = x.shard + 1, after_failed_at = default, after_partition_id = default, after_group_name = default,
            after_message_offset = default
        where x.id = r.id;
    end loop;

    held := array(
        select i.place
        from unnest(next.partition_ids, next.group_names, next.message_offsets)
             with ordinality as i (partition_id, group_name, message_offset, place)
        join dead_letter d on d.partition_id = any (array[i.partition_id])
            and d.group_name = i.group_name and d.message_offset = i.message_offset
        order by i.place
        for update of d skip locked);
    select count(*) into free from unnest(held) with ordinality as h (place, number) where h.place = h.number;
    if free = 0 then
        update queen.redrive x
        set next_at = at + interval '1 second', waiting_for = 'the next dead letter is locked by another transaction'
        where x.id = r.id;
        return;
    end if;

    return query
    select r.id, d.partition_id, d.group_name, d.message_offset, d.failed_at,
           coalesce(d.transaction_id, :api.line_transaction_id(:api.line_head(d.line))), d.line, t.id,
           coalesce(r.target_queue, q.name), coalesce(r.target_partition, d.partition_name),
           :api.partition_id(t.id, coalesce(r.target_partition, d.partition_name)), t.encryption_enabled, y.binds_messages, y.encryption_epoch
    from unnest(next.partition_ids[:free], next.group_names[:free], next.message_offsets[:free])
         with ordinality as i (partition_id, group_name, message_offset, place)
    join dead_letter d on d.partition_id = any (array[i.partition_id])
        and d.group_name = i.group_name and d.message_offset = i.message_offset
    cross join queen.system_state y
    left join queen.queue q on q.id = any (array[d.queue_id])
    left join queen.queue t on t.name = any (array[coalesce(r.target_queue, q.name)])
    order by i.place;
end
$$;
