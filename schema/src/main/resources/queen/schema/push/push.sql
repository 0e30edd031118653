create function :api.push(
    partition_ids uuid[], knowns bigint[], counts int[], hashes bytea[], bodies bytea[], largest_lines int[],
    encryption_epoch bigint, queue_ids uuid[] default null, names text[] default null,
    accepted_ats timestamptz[] default null, accepted_places int[] default null)
returns table (index int, base bigint, created_at timestamptz)
language plpgsql volatile
as $$
-- Promise:  appends one segment to each partition whose head is still the offset up to which the caller knows every transactionId;
--           a partition that moved on, is locked by someone's transaction or does not exist gets no row and no segment. A partition of
--           which the caller knows nothing begins with its segment, if it does not exist: there is nothing in it to be known.
--           Appends nothing and raises QN003 when encryption was switched on somewhere since the caller's epoch.
-- Params:   arrays of equal length, each partition once; knowns: the head the caller's duplicate check was made against, -1 for a partition of
--           which it knows nothing; largest_lines: the bytes of the largest line of each body; encryption_epoch: of the catalog by
--           which the caller decided what to encrypt; queue_ids and names: null, or of the partitions of which the caller knows nothing, and
--           null in place of the others; accepted_ats: null, or when the messages were accepted, segment after segment, for the
--           segments of messages from a spool; accepted_places: where the times of each segment begin in it, null for the other segments.
-- Returns:  one row per stored segment, with the input position and the offset of its first message.
-- Locks:    what claim_free_partitions locks, for partitions that do not exist; then partition rows, ascending by id, never waiting.
-- Writes:   partition, partition_key, segment
#variable_conflict use_column
declare
    claimed             uuid[] := '{}';
    places              tid[];
    bases               bigint[];
    pushed_ats          timestamptz[];
    found_partitions    bigint;
    moved               bigint;
    stored              bigint;
    at                  timestamptz;
    long_ago            timestamptz;
begin
    if queue_ids is not null then
        claimed := :api.claim_absent_partitions(partition_ids, queue_ids, names);
    end if;

    -- Each statement knows only what it needs: a body is taken out of its array once, when it is stored.
    select array_agg(l.tid), array_agg(l.head), array_agg(l.last_push_at), count(l.tid)
    into places, bases, pushed_ats, found_partitions
    from (
        select p.tid, p.head, p.last_push_at
        from (
            select i.*
            from unnest(partition_ids, knowns) with ordinality as i (partition_id, known, index)
            order by i.partition_id
        ) i
        left join lateral (
            select p.ctid as tid, p.head, p.last_push_at
            from partition p
            where p.id = i.partition_id
            order by p.generation desc
            limit 1
            for no key update skip locked
        ) p on p.head = i.known
        order by i.index
    ) l;

    -- The clock is read here, under the locks, so that time does not go back within a partition.
    at := clock_timestamp();
    if found_partitions > 0 then
        long_ago := at - interval '10 seconds';
        update partition p
        set head = p.head + l.count,
            last_push_at = :api.pushed_at(at, p.last_push_at),
            active_at = case when p.active_at < long_ago then at else p.active_at end,
            -- Not known stays not known until nothing is left that was stored before.
            largest_line = case when p.head = p.tail or p.largest_line < l.largest_line then l.largest_line else p.largest_line end,
            :written(p)
        from unnest(places, partition_ids, bases, counts, largest_lines) as l (tid, partition_id, base, count, largest_line)
        -- A locked row stays where it is, so it need not be searched for a second time. It is the newest version of it that was
        -- locked, and this statement, which began later, sees it. Only Citus can come between, when it moves the shard to another node:
        -- there, some other row may be in that place. Asked in a way that no plan finds rows by.
        where p.ctid = l.tid
          and (p.id = l.partition_id and p.head = l.base) is true;
        get diagnostics moved = row_count;
        if moved < found_partitions then
            raise exception 'a partition was given twice, or its shard was moved meanwhile' using errcode = '40001';
        end if;
    end if;
    if claimed <> '{}' then
        insert into partition (id, queue_id, name, head, tail, largest_line, last_push_at, active_at, created_at)
        select i.partition_id, i.queue_id, i.name, q.partition_floor + i.count, q.partition_floor, i.largest_line, at, at, at
        from unnest(partition_ids, queue_ids, names, counts, largest_lines) as i (partition_id, queue_id, name, count, largest_line)
        join queue q on q.id = any (array[i.queue_id])
        where i.partition_id = any (claimed);
        bases := array(
            select coalesce(i.base, q.partition_floor)
            from unnest(partition_ids, queue_ids, bases) with ordinality as i (partition_id, queue_id, base, index)
            left join queue q on q.id = any (array[i.queue_id]) and i.partition_id = any (claimed)
            order by i.index);
    end if;

    -- Compared in the statement that stores, because await_pushes waits for statements that began with an older epoch.
    insert into segment (partition_id, base, count, created_at, hashes, body, accepted_at)
    select i.partition_id, i.base, i.count, :api.pushed_at(at, i.pushed_at), i.hashes, i.body,
           accepted_ats[i.accepted_place : i.accepted_place + i.count - 1]
    from unnest(partition_ids, bases, counts, pushed_ats, hashes, bodies, accepted_places)
         as i (partition_id, base, count, pushed_at, hashes, body, accepted_place)
    cross join (select 1 from system_state s where s.is_the_only_row and s.encryption_epoch = push.encryption_epoch) s
    where i.base is not null;
    get diagnostics stored = row_count;
    if stored < found_partitions + cardinality(claimed) or stored = 0 and push.encryption_epoch is distinct from (
        select s.encryption_epoch from system_state s where s.is_the_only_row
    ) then
        raise exception 'encryption was switched on since this server read the catalog' using errcode = 'QN003';
    end if;

    return query
    select i.index::int, i.base, :api.pushed_at(at, i.pushed_at)
    from unnest(bases, pushed_ats) with ordinality as i (base, pushed_at, index)
    where i.base is not null;
end
$$;
