create function :api.push(
    partition_ids uuid[], knowns bigint[], counts int[], hashes bytea[], bodies bytea[], largest_lines int[],
    encryption_epoch bigint, queue_ids uuid[] default null, names text[] default null,
    accepted_ats timestamptz[] default null, accepted_places int[] default null)
returns table (index int, base bigint, created_at timestamptz)
language plpgsql volatile
as $$
-- Promise:  appends one segment to each partition whose head is still the offset up to which the caller has checked for duplicates. A
--           partition whose head has moved, that is locked, or that does not exist gets no segment and no row. A partition with known -1
--           that does not exist is created with its segment: it has no messages to check. Appends nothing and raises QN003 if encryption
--           was switched on for a queue since the epoch of the caller.
-- Params:   arrays of equal length, each partition once; knowns: the head of the duplicate check of the caller, -1 for a partition that it
--           has not loaded; largest_lines: the bytes of the largest line of each body; encryption_epoch: of the catalog by which the caller
--           decided to encrypt; queue_ids, names: null, or those of the partitions with known -1, and null for the others; accepted_ats:
--           null, or the acceptance times of messages from a spool, segment after segment; accepted_places: the position in accepted_ats at
--           which each segment begins, null for other segments.
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

    -- Each statement reads only the arrays that it needs: a body is read from its array once, when it is stored.
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

    -- The clock must be read under the locks, so that time never decreases within a partition.
    at := clock_timestamp();
    if found_partitions > 0 then
        long_ago := at - interval '10 seconds';
        update partition p
        set head = p.head + l.count,
            last_push_at = :api.pushed_at(at, p.last_push_at),
            active_at = case when p.active_at < long_ago then at else p.active_at end,
            -- Null (unknown) stays null until all earlier messages are removed.
            largest_line = case when p.head = p.tail or p.largest_line < l.largest_line then l.largest_line else p.largest_line end,
            :written(p)
        from unnest(places, partition_ids, bases, counts, largest_lines) as l (tid, partition_id, base, count, largest_line)
        -- The ctid of a locked row does not change, so no second search is needed. The newest version was locked, and this later statement
        -- sees it. Only a move of the shard by Citus can intervene: then another row may have this ctid. The condition is written so that
        -- no plan uses it for a search.
        where p.ctid = l.tid
          and (p.id = l.partition_id and p.head = l.base) is true;
        get diagnostics moved = row_count;
        if moved < found_partitions then
            raise exception 'an argument names a partition twice, or its shard was moved during the call' using errcode = '40001';
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

    -- The epoch must be compared in the statement that stores, because await_pushes waits for statements that began with an older epoch.
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
