create function :api.push_bounded(
    partition_ids uuid[], knowns bigint[], counts int[], hashes bytea[], bodies bytea[], largest_lines int[],
    queue_ids uuid[], encryption_epoch bigint, accepted_ats timestamptz[] default null, accepted_places int[] default null)
returns table (index int, base bigint, created_at timestamptz, count int, max_size bigint)
language plpgsql volatile
as $$
-- Promise:  does what push does, for partitions of queues with a maxSize, which is never exceeded: of each segment only as many messages
--           are stored, from its beginning, as fit. No message is refused below the limit, unless a count of the messages takes long and
--           was done recently. Raises QN003 as push does, which compares the epoch in the statement that stores.
-- Params:   as in push; queue_ids: the queue of each partition, null for one without a limit.
-- Returns:  one row per partition that was not locked and whose head has not moved, with the number of messages stored; base is null if
--           that is 0.
-- Locks:    queen.queue_size rows, ascending by queue_id; then partition rows as push does, never waiting.
-- Writes:   queen.queue_size, partition, segment
#variable_conflict use_column
declare
    at          timestamptz;
    locked      int[];
    allotted    int[] := counts;
    limits      bigint[] := array_fill(null::bigint, array[cardinality(counts)]);
    queue       record;
    slot        int;
    filled      bigint;
    available   bigint;
    again_at    timestamptz;
begin
    perform from queen.queue_size s where s.queue_id = any (queue_ids) order by s.queue_id for update;
    at := clock_timestamp();

    with taken as (
        select i.index
        from (
            select i.*
            from unnest(partition_ids, knowns) with ordinality as i (partition_id, known, index)
            order by i.partition_id
        ) i
        cross join lateral (
            select p.head
            from partition p
            where p.id = i.partition_id
            order by p.generation desc
            limit 1
            for no key update skip locked
        ) p
        where p.head = i.known
    )
    select array_agg(t.index::int order by t.index) into locked from taken t;
    if locked is null then
        return;
    end if;

    for queue in
        select s.queue_id, s.size, s.recount_at, q.revision, q.max_size,
               s.uncertain_until > at or s.revision <> q.revision as is_uncertain,
               (select sum(counts[l]) from unnest(locked) l where queue_ids[l] = s.queue_id) as wanted
        from queen.queue_size s
        join queen.queue q on q.id = any (array[s.queue_id])
        where s.queue_id = any (queue_ids)
          and q.max_size > 0
    loop
        filled := queue.size;
        again_at := queue.recount_at;
        if filled is null or queue.is_uncertain or filled + queue.wanted > queue.max_size and queue.recount_at <= at then
            filled := :api.count_unfinished(queue.queue_id);
            -- A fast count may be repeated at once; one that took t, only after 50 t.
            again_at := case when clock_timestamp() - at < interval '5 ms' then '-infinity'
                             else clock_timestamp() + 50 * (clock_timestamp() - at) end;
        end if;

        available := greatest(queue.max_size - filled, 0);
        foreach slot in array locked loop
            if queue_ids[slot] = queue.queue_id then
                allotted[slot] := least(counts[slot], available);
                limits[slot] := queue.max_size;
                available := available - allotted[slot];
                filled := filled + allotted[slot];
            end if;
        end loop;
        update queen.queue_size s
        set size = filled, revision = queue.revision, recount_at = again_at
        where s.queue_id = queue.queue_id;
    end loop;

    return query
    select l.index, null::bigint, null::timestamptz, 0, limits[l.index]
    from unnest(locked) as l (index)
    where allotted[l.index] = 0;

    return query
    with chosen as (
        select l.index, row_number() over (order by l.index) as position
        from unnest(locked) as l (index)
        where allotted[l.index] > 0
    ), pushed as (
        select p.*
        from :api.push(
            array(select partition_ids[c.index] from chosen c order by c.index),
            array(select knowns[c.index] from chosen c order by c.index),
            array(select allotted[c.index] from chosen c order by c.index),
            array(select substring(hashes[c.index] from 1 for 8 * allotted[c.index]) from chosen c order by c.index),
            -- Of a segment that does not fit as a whole, the first lines.
            array(select case when allotted[c.index] = counts[c.index] then bodies[c.index]
                              else convert_to(array_to_string((string_to_array(convert_from(bodies[c.index], 'UTF8'), e'\n'))[1:allotted[c.index]],
                                                              e'\n') || e'\n', 'UTF8') end
                  from chosen c order by c.index),
            array(select largest_lines[c.index] from chosen c order by c.index),
            encryption_epoch, null, null, accepted_ats,
            case when accepted_places is not null then array(select accepted_places[c.index] from chosen c order by c.index) end) p
    )
    select c.index, p.base, p.created_at, allotted[c.index], limits[c.index]
    from pushed p
    join chosen c on c.position = p.index;
end
$$;
