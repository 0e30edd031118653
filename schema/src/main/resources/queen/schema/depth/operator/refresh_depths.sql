create function :api.refresh_depths(actor text, is_forced boolean, min_age_ms bigint)
returns text
language plpgsql volatile
:plans_by_key
as $$
-- Promise:  the sums over the shard's partitions of queues and groups are as after count_touched, and partitions are found that nobody wrote down, as
--           when a server was killed. The work grows with what happened lately and not with the partitions there are: looked at are partitions
--           pushed to and cursors opened since the last search, partitions with something unread (20,000 at a time, in turn), and a few
--           others. Where more happened, the partitions are gone through in several turns.
-- Params:   is_forced: also when there was a search a moment ago, with all partitions in which something is unread.
-- Returns:  {success, isComplete, partition: {counted}, …}, or {skipped, reason} when there was nothing to do. isComplete: no other turn
--           is needed to count what was written down.
-- Locks:    an advisory lock, so that one session counts at a time.
-- Writes:   what count_turn writes; queen.audit when forced
#variable_conflict use_column
declare
    nobody          constant     uuid := '00000000-0000-0000-0000-000000000000';
    -- A partition's active_at lags ten seconds behind its last push, and what was written before may have been committed since.
    slack           constant      interval := '40 seconds';
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
    perform :api.enter(:api.present_shard());
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
                  -- Most were written down, and are counted: there is nothing to be found in them.
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

    -- Many cursors opened at once are worked off in order; they may even carry the same moment.
    next_opened := case when cardinality(opened) < partitions_max is not false then at - slack
                        else greatest(opened_at, turn.cursors_since + interval '1 microsecond') end;
    update depth_turn t
    set since = at,
        cursors_since = next_opened,
        open_after = case when cardinality(open_partitions) < partitions_max then nobody else open_partitions[partitions_max] end,
        all_after = case when cardinality(others) < others_max then nobody else others[others_max] end,
        searched_at = at,
        :written(t)
    where t.ctid = (select n.ctid from depth_turn n order by n.generation desc limit 1);
    -- Whoever forces it does so in every shard, and wants it once.
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
