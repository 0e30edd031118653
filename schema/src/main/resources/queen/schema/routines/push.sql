create function :api.push(
    partition_ids uuid[], knowns bigint[], counts int[], hashes bytea[], bodies bytea[], largest_lines int[],
    encryption_epoch bigint)
returns table (index int, base bigint, created_at timestamptz)
language plpgsql volatile
as $$
-- Promise:  appends one segment to each lane whose head is still the offset up to which the caller knows every transactionId;
--           a lane that moved on, is locked by someone's transaction or does not exist gets no row and no segment.
--           Appends nothing and raises QN003 when encryption was switched on somewhere since the caller's epoch.
-- Params:   arrays of equal length, each lane once; knowns: the head the caller's duplicate check was made against;
--           largest_lines: the bytes of the largest line of each body; encryption_epoch: of the catalog by which the caller decided what to encrypt.
-- Returns:  one row per stored segment, with the input position and the offset of its first message.
-- Locks:    partition rows, ascending by id, never waiting.
-- Writes:   partition, segment
#variable_conflict use_column
begin
    return query
    with locked as (
        select i.index, i.count, i.hashes, i.body, i.largest_line, p.tid
        from (
            select i.*
            from unnest(partition_ids, knowns, counts, hashes, bodies, largest_lines)
                 with ordinality as i (partition_id, known, count, hashes, body, largest_line, index)
            -- Compared in the statement that stores, because await_pushes waits for statements that began with an older epoch.
            where push.encryption_epoch = (select s.encryption_epoch from queen.system_state s where s.is_the_only_row)
            order by i.partition_id
        ) i
        cross join lateral (
            select p.ctid as tid, p.head
            from partition p
            where p.id = i.partition_id
            order by p.generation desc
            limit 1
            for no key update skip locked
        ) p
        where p.head = i.known
    ), moved as (
        -- The clock is read here, under the lock, and held back by last_push_at: time never goes back within a lane.
        update partition p
        set head = p.head + l.count,
            last_push_at = greatest(clock_timestamp(), p.last_push_at),
            active_at = case when p.active_at < clock_timestamp() - interval '10 seconds' then clock_timestamp() else p.active_at end,
            -- Not known stays not known until nothing is left that was stored before.
            largest_line = case when p.head = p.tail or p.largest_line < l.largest_line then l.largest_line else p.largest_line end,
            :written(p)
        from locked l
        -- A locked row stays where it is, so it need not be searched for a second time. It is not seen if it was written
        -- since this statement began: then the caller comes again.
        where p.ctid = l.tid
        returning l.index, p.id, p.head - l.count as base, l.count, p.last_push_at, l.hashes, l.body
    ), stored as (
        insert into segment (partition_id, base, count, created_at, hashes, body)
        select m.id, m.base, m.count, m.last_push_at, m.hashes, m.body
        from moved m
    )
    select m.index::int, m.base, m.last_push_at
    from moved m;

    if not found and push.encryption_epoch is distinct from (
        select s.encryption_epoch from queen.system_state s where s.is_the_only_row
    ) then
        raise exception 'encryption was switched on since this server read the catalog' using errcode = 'QN003';
    end if;
end
$$;
