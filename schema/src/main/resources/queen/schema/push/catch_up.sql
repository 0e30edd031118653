create function :api.catch_up(
    partition_ids uuid[], queue_ids uuid[], names text[], knowns bigint[], window_messages int, window_seconds int[])
returns table (
    index int, head bigint, tail bigint, is_new boolean, known bigint, counts int[], created_ats timestamptz[], hashes bytea)
language plpgsql volatile
as $$
-- Promise:  creates the missing partitions, if their queues exist, and returns the transactionId hashes of their deduplication windows: for
--           each partition the segments from known (or from the start of the window, if that is later) up to head.
-- Params:   arrays of equal length, each partition once; knowns: the offset up to which the caller has the hashes, -1 for none; the window
--           is the last window_messages messages of a partition that are no older than its window_seconds.
-- Returns:  one row per existing partition: tail: the first stored offset; is_new: it never received a push; known: the offset of the first
--           hash; then count, time and hashes per segment. One row with head null per partition that cannot be created yet, because its
--           queue is being deleted, or an open transaction is creating or restoring it. No row per partition whose queue does not exist.
-- Locks:    queen.queue rows of new partitions, for key share and never waiting, so that a partition cannot outlive its queue; then the new
--           partition rows, as create_partitions and restore_partitions do.
-- Writes:   partition, partition_key
#variable_conflict use_column
declare
    absent      uuid[];
    kept        uuid[];
    orphans     uuid[];
    partitions  uuid[];
    queues      uuid[];
    called      text[];
begin
    absent := array(
        select i.partition_id
        from unnest(partition_ids) as i (partition_id)
        where not exists (select 1 from partition v where v.id = i.partition_id offset 0));
    if absent <> '{}' then
        kept := :api.lock_queues(array(
            select i.queue_id
            from unnest(partition_ids, queue_ids) as i (partition_id, queue_id)
            where i.partition_id = any (absent)));
        orphans := array(
            select k.id
            from partition_key k
            where k.id = any (absent)
              and k.queue_id = any (kept));
        if orphans <> '{}' then
            perform :api.restore_partitions(orphans);
        end if;
        select array_agg(i.partition_id), array_agg(i.queue_id), array_agg(i.name)
        into partitions, queues, called
        from unnest(partition_ids, queue_ids, names) as i (partition_id, queue_id, name)
        where i.queue_id = any (kept)
          and i.partition_id = any (absent)
          and not exists (select 1 from partition_key k where k.id = i.partition_id offset 0);
        if partitions is not null then
            perform :api.create_partitions(partitions, queues, called);
        end if;
    end if;

    return query
    select i.index::int, p.head, p.tail, p.last_push_at is null, coalesce(s.base, p.head), s.counts, s.created_ats, s.hashes
    from unnest(partition_ids, knowns, window_seconds) with ordinality as i (partition_id, known, window_s, index)
    cross join lateral :newest_partition(i.partition_id) p
    left join lateral (
        select min(s.base) as base,
               array_agg(s.count order by s.base) as counts,
               array_agg(s.created_at order by s.base) as created_ats,
               string_agg(s.hashes, '' order by s.base) as hashes
        from segment s
        where s.partition_id = p.id
          -- The segment in which the window starts is included as a whole.
          and s.base >= greatest(i.known, (
              select max(b.base) from segment b where b.partition_id = p.id and b.base <= p.head - window_messages))
          and s.base < p.head
          and s.created_at > clock_timestamp() - make_interval(secs => i.window_s)
    ) s on true
    -- The partitions of a deleted queue are deleted later.
    where exists (select 1 from queue q where q.id = p.queue_id offset 0);

    return query
    select i.index::int, null::bigint, null::bigint, null::boolean, null::bigint, null::int[], null::timestamptz[], null::bytea
    from unnest(partition_ids, queue_ids) with ordinality as i (partition_id, queue_id, index)
    where i.partition_id = any (absent)
      and not exists (select 1 from partition v where v.id = i.partition_id offset 0)
      and exists (select 1 from queue q where q.id = i.queue_id offset 0);
end
$$;
