create function :api.refresh_depths(actor text, is_forced boolean, min_age_ms bigint)
returns text
language plpgsql volatile
:plans_by_key
as $$
-- Promise:  updates the sums as count_touched does, and finds changes that were not recorded, as after a crash of a server. The work
--           depends on the recent changes, not on the number of partitions: it reads partitions with pushes or new cursors since the last
--           search, partitions with unread messages (20,000 per call, in rotation), and a few others. More changes need several turns.
-- Params:   actor; is_forced: also searches if the last search is recent, and reads all partitions with unread messages; min_age_ms:
--           minimum time since the last search.
-- Returns:  {success, isComplete, partition: {counted}, …}, or {skipped, reason} if there was nothing to do. isComplete: all recorded
--           changes are counted.
-- Locks:    an advisory lock (counting_key), so that one session counts at a time.
-- Writes:   what count_turn writes; queen.audit if forced
#variable_conflict use_column
declare
    no_partition    constant uuid := '00000000-0000-0000-0000-000000000000';
    -- active_at lags up to ten seconds behind the last push, and earlier writes may have committed since.
    slack           constant interval := '40 seconds';
    partitions_max  int := case when is_forced then :api.partitions_per_turn(500000, 1000000) else :api.partitions_per_turn(20000, 100000) end;
    others_max      constant int := 1000;
    at              timestamptz := clock_timestamp();
    turn            record;
    pushed          uuid[];
    crowded         uuid[];
    opened          uuid[];
    opened_at       timestamptz;
    open_partitions uuid[];
    others          uuid[];
    done            record;
    next_opened     timestamptz;
begin
    perform :api.select_shard(:api.present_shard());
    if is_forced then
        perform pg_advisory_xact_lock(:api.counting_key());
    elsif not pg_try_advisory_xact_lock(:api.counting_key()) then
        return json_build_object('skipped', true, 'reason', 'another server is counting')::text;
    end if;
    select t.* into turn from depth_turn t order by t.generation desc limit 1;
    if not is_forced and turn.searched_at > at - min_age_ms * interval '1 ms' then
        return json_build_object('skipped', true, 'reason', 'counted a moment ago')::text;
    end if;

    with recent as (
        select q.id, p.partitions
        from queen.queue q
        cross join lateral (
            select array(
                select p.id
                from partition p
                where p.queue_id = q.id
                  and p.active_at >= turn.since - slack
                  -- Most were recorded and counted: they have no unrecorded changes.
                  and not exists (select 1 from partition_depth d where d.partition_id = p.id and d.total = p.head - p.tail offset 0)
                limit partitions_max + 1
            ) as partitions
        ) p
    )
    select array(select unnest(r.partitions) from recent r where cardinality(r.partitions) <= partitions_max),
           array(select r.id from recent r where cardinality(r.partitions) > partitions_max)
    into pushed, crowded;

    select array_agg(c.partition_id), max(c.created_at)
    into opened, opened_at
    from (
        select c.partition_id, c.created_at
        from cursor c
        where c.created_at >= turn.cursors_since
          and not exists (
              select 1
              from partition_depth d
              join partition p on p.id = d.partition_id
              where d.partition_id = c.partition_id
                and d.group_pendings[array_position(d.group_names, c.group_name)] = p.head - greatest(c.committed, p.tail)
              offset 0)
        order by c.created_at
        limit partitions_max
    ) c;

    open_partitions := array(
        select d.partition_id
        from partition_depth d
        where d.oldest_at is not null
          and (is_forced or d.partition_id > turn.open_after)
        order by d.partition_id
        limit partitions_max);
    others := array(
        select d.partition_id
        from partition_depth d
        where d.partition_id > turn.all_after
        order by d.partition_id
        limit others_max);
    select t.counted, t.is_all into done
    from :api.count_turn(pushed || opened || open_partitions || others, crowded, true, partitions_max) t;

    -- Cursors created at the same time are processed in order; many may have the same time.
    next_opened := case when cardinality(opened) < partitions_max is not false then at - slack
                        else greatest(opened_at, turn.cursors_since + interval '1 microsecond') end;
    update depth_turn t
    set since = at,
        cursors_since = next_opened,
        open_after = case when cardinality(open_partitions) < partitions_max then no_partition else open_partitions[partitions_max] end,
        all_after = case when cardinality(others) < others_max then no_partition else others[others_max] end,
        searched_at = at,
        :written(t)
    where t.ctid = (select n.ctid from depth_turn n order by n.generation desc limit 1);
    -- A forced refresh runs in every shard and is audited once.
    if is_forced and current_schema() = (:api.shards())[1] then
        perform :api.audit(actor, 'refresh', 'stats', null, null);
    end if;
    return json_build_object(
        'success', true, 'isComplete', done.is_all, 'partition', json_build_object('counted', done.counted),
        'queue', json_build_object('counted', (select count(*) from queue_depth)),
        'namespace', json_build_object(), 'task', json_build_object(), 'system', json_build_object(),
        'cleanup', json_build_object())::text;
end
$$;
