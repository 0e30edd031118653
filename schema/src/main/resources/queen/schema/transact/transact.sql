create function :api.transact(
    push_partition_ids uuid[], knowns bigint[], counts int[], hashes bytea[], bodies bytea[], largest_lines int[],
    ack_partition_ids uuid[], ack_group_names text[], ack_lease_ids uuid[], completed text[],
    message_lease_indexes int[], message_offsets bigint[], statuses text[], errors text[],
    required_lease_ids uuid[], limited_queue_ids uuid[], encryption_epoch bigint)
returns table (push_index int, base bigint, created_at timestamptz, item_index int, is_dead boolean)
language plpgsql volatile
as $$
-- Promise:  applies everything or nothing: every segment is appended, every required lease is live, and every acked message is finished or
--           failed as by ack and nack, under a live lease. Otherwise it raises:
--             QN001, QN003, QN004  as append_all raises them
--             QN002                a lease is not live, or does not cover a message
--             QN006                another transaction has locked a cursor: repeat the call
-- Params:   partitions of the selected shard, or of several if none is selected: then it processes them in order. As in append_all and
--           nack; required_lease_ids: leases that must be live, each once.
-- Returns:  one row per segment (push_index) and one per failed message (item_index).
-- Locks:    queen.queue_size and partition rows as push and push_bounded do; then all cursor rows, ascending by
--           (partition_id, group_name), never waiting.
-- Writes:   what push and nack write
#variable_conflict use_column
declare
    lease_is_gone   constant text := 'the lease of an acknowledged message has expired or was taken over';
    held_partitions uuid[];
    held_groups     text[];
    locked          bigint[];
    items_done      int := 0;
    result          record;
    part            record;
    items           int[];
    required        record;
begin
    if current_schema() = 'queen' then
        -- Lock order: all queue_size rows, before any partition row.
        if cardinality(array_remove(limited_queue_ids, null)) > 0 then
            perform from queen.queue_size s where s.queue_id = any (limited_queue_ids) order by s.queue_id for update;
        end if;
        for part in
            select s.name as shard, coalesce(p.indexes, '{}') as pushes, coalesce(a.indexes, '{}') as acks,
                   coalesce(l.indexes, '{}') as leases
            from queen.shard s
            left join :api.shard_parts(push_partition_ids) p on p.shard = s.name
            left join :api.shard_parts(ack_partition_ids) a on a.shard = s.name
            left join :api.shard_parts(required_lease_ids) l on l.shard = s.name
            where coalesce(p.shard, a.shard, l.shard) is not null
            order by s.number
        loop
            perform :api.select_shard(part.shard);
            items := array(
                select i.index::int from unnest(message_lease_indexes) with ordinality as i (lease_index, index)
                where i.lease_index = any (part.acks) order by i.index);
            return query
            select part.pushes[t.push_index], t.base, t.created_at, items[t.item_index], t.is_dead
            from :api.transact(
                array(select push_partition_ids[i] from unnest(part.pushes) i), array(select knowns[i] from unnest(part.pushes) i),
                array(select counts[i] from unnest(part.pushes) i), array(select hashes[i] from unnest(part.pushes) i),
                array(select bodies[i] from unnest(part.pushes) i), array(select largest_lines[i] from unnest(part.pushes) i),
                array(select ack_partition_ids[i] from unnest(part.acks) i), array(select ack_group_names[i] from unnest(part.acks) i),
                array(select ack_lease_ids[i] from unnest(part.acks) i), array(select completed[i] from unnest(part.acks) i),
                array(select array_position(part.acks, message_lease_indexes[i]) from unnest(items) i),
                array(select message_offsets[i] from unnest(items) i), array(select statuses[i] from unnest(items) i),
                array(select errors[i] from unnest(items) i), array(select required_lease_ids[i] from unnest(part.leases) i),
                case when cardinality(limited_queue_ids) = 0 then limited_queue_ids
                     else array(select limited_queue_ids[i] from unnest(part.pushes) i) end,
                encryption_epoch) t;
        end loop;
        perform :api.select_shard('queen');
        return;
    end if;

    if cardinality(push_partition_ids) > 0 then
        return query
        select p.index, p.base, p.created_at, null::int, null::boolean
        from :api.append_all(
            push_partition_ids, knowns, counts, hashes, bodies, largest_lines, limited_queue_ids, encryption_epoch) p;
    end if;

    select array_agg(o.lease_id) as leases, array_agg(o.partition_id) as partitions, array_agg(o.group_name) as groups
    into required
    from :api.partitions_of(required_lease_ids) o;
    select array_agg(w.partition_id), array_agg(w.group_name)
    into held_partitions, held_groups
    from (
        select i.partition_id, i.group_name from unnest(ack_partition_ids, ack_group_names) as i (partition_id, group_name)
        union
        select o.partition_id, o.group_name from unnest(required.partitions, required.groups) as o (partition_id, group_name)
    ) w;
    locked := :api.lock_free_cursors(held_partitions, held_groups);
    if exists (
        select 1
        from unnest(held_partitions, held_groups) with ordinality as w (partition_id, group_name, index)
        cross join lateral :newest_cursor(w.partition_id, w.group_name) c
        where w.index <> all (locked)
    ) then
        raise exception 'a consumer group''s place in a partition is locked by another transaction of the database' using errcode = 'QN006';
    end if;

    if cardinality(required_lease_ids) > (
        select count(distinct o.lease_id)
        from unnest(required.leases, required.partitions, required.groups) as o (lease_id, partition_id, group_name)
        cross join lateral :newest_cursor(o.partition_id, o.group_name) c
        where c.lease_id = o.lease_id
          and c.lease_until > clock_timestamp()
    ) then
        raise exception 'a required lease has expired or was taken over' using errcode = 'QN002';
    end if;

    if exists (
        select 1
        from unnest(ack_partition_ids, ack_group_names, ack_lease_ids, completed)
             as i (partition_id, group_name, lease_id, completed)
        left join lateral :newest_cursor(i.partition_id, i.group_name) c on c.lease_id = i.lease_id
        where c.lease_id is null
           or not i.completed::int8multirange <@ int8multirange(int8range(null, c.lease_end))
    ) then
        raise exception using errcode = 'QN002', message = lease_is_gone;
    end if;

    if cardinality(message_offsets) > 0 then
        for result in
            select n.item_index, n.is_dead, n.is_live
            from :api.nack(
                ack_partition_ids, ack_group_names, ack_lease_ids, completed,
                message_lease_indexes, message_offsets, statuses, errors) n
        loop
            if not result.is_live then
                raise exception using errcode = 'QN002', message = lease_is_gone;
            elsif result.item_index is not null then
                items_done := items_done + 1;
                return query select null::int, null::bigint, null::timestamptz, result.item_index, result.is_dead;
            end if;
        end loop;
        if items_done < cardinality(message_offsets) then
            raise exception using errcode = 'QN002', message = lease_is_gone;
        end if;
    elsif cardinality(ack_partition_ids) > (
        select count(*) filter (where a.is_live)
        from :api.ack(ack_partition_ids, ack_group_names, ack_lease_ids, completed) a
    ) then
        raise exception using errcode = 'QN002', message = lease_is_gone;
    end if;
end
$$;
