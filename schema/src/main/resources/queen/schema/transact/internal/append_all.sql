create function :api.append_all(
    partition_ids uuid[], knowns bigint[], counts int[], hashes bytea[], bodies bytea[], largest_lines int[],
    limited_queue_ids uuid[], encryption_epoch bigint)
returns table (index int, base bigint, created_at timestamptz)
language plpgsql volatile
as $$
-- Promise:  appends every segment, or raises an error and appends none:
--             QN001  the head of partitions has moved, or they are locked or missing: catch up and repeat; the detail has their ids, separated by commas
--             QN003  as push raises it
--             QN004  a queue is full
-- Params:   partitions of the selected shard, or of several if none is selected: then it processes them in order. As in push;
--           limited_queue_ids: empty, or the queue of each segment if it has a maxSize, otherwise null.
-- Returns:  one row per segment.
-- Locks:    queen.queue_size and partition rows as push and push_bounded do.
-- Writes:   what push and push_bounded write
#variable_conflict use_column
declare
    done    int[] := '{}';
    result  record;
    part    record;
begin
    if current_schema() = 'queen' then
        -- Lock order: all queue_size rows, before any partition row.
        if cardinality(array_remove(limited_queue_ids, null)) > 0 then
            perform from queen.queue_size s where s.queue_id = any (limited_queue_ids) order by s.queue_id for update;
        end if;
        for part in select * from :api.shard_parts(partition_ids) loop
            perform :api.select_shard(part.shard);
            return query
            select part.indexes[a.index], a.base, a.created_at
            from :api.append_all(
                array(select partition_ids[i] from unnest(part.indexes) i), array(select knowns[i] from unnest(part.indexes) i),
                array(select counts[i] from unnest(part.indexes) i), array(select hashes[i] from unnest(part.indexes) i),
                array(select bodies[i] from unnest(part.indexes) i), array(select largest_lines[i] from unnest(part.indexes) i),
                case when cardinality(limited_queue_ids) = 0 then limited_queue_ids
                     else array(select limited_queue_ids[i] from unnest(part.indexes) i) end,
                encryption_epoch) a;
        end loop;
        perform :api.select_shard('queen');
        return;
    end if;
    if cardinality(array_remove(limited_queue_ids, null)) > 0 then
        for result in
            select p.index, p.base, p.created_at, p.count, p.max_size
            from :api.push_bounded(partition_ids, knowns, counts, hashes, bodies, largest_lines, limited_queue_ids, encryption_epoch) p
        loop
            if result.count < counts[result.index] then
                raise exception 'the queue is full: maxSize %', result.max_size using errcode = 'QN004';
            end if;
            done := done || result.index;
            return query select result.index, result.base, result.created_at;
        end loop;
    else
        for result in
            select p.index, p.base, p.created_at
            from :api.push(partition_ids, knowns, counts, hashes, bodies, largest_lines, encryption_epoch) p
        loop
            done := done || result.index;
            return query select result.index, result.base, result.created_at;
        end loop;
    end if;
    if cardinality(done) < cardinality(partition_ids) then
        raise exception 'the head of a partition has moved since the duplicate check' using
            errcode = 'QN001',
            detail = (
                select string_agg(i.partition_id::text, ',' order by i.index)
                from unnest(partition_ids) with ordinality as i (partition_id, index)
                where i.index <> all (done));
    end if;
end
$$;
