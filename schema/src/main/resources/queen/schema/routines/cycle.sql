create function :api.cycle(
    query_ids uuid[], partition_ids uuid[], group_names text[], tokens uuid[], are_acks boolean[], lease_ids uuid[],
    ack_offsets bigint[], ack_errors text[], are_dead boolean[], are_kept boolean[],
    op_cycles int[], op_keys text[], op_values bytea[], op_window_ends double precision[], op_are_sealed boolean[],
    push_cycles int[], push_partition_ids uuid[], knowns bigint[], counts int[], hashes bytea[], bodies bytea[],
    largest_lines int[], limited_queue_ids uuid[], encryption_epoch bigint)
returns table (index int, verdict text, finished bigint, is_released boolean, push_index int, base bigint, created_at timestamptz)
language plpgsql volatile
as $$
-- Promise:  each cycle takes effect as a whole or not at all: its segments are appended, everything up to the acknowledged message is
--           finished under its live lease, which is given back or kept, and its state is changed. Of the others, judge_cycles says
--           why. What stands in the way of a single one stops all, and is raised:
--             QN001, QN003, QN004  as append_all raises them; QN003 also when state has to be encrypted and is not
--             QN002  a lease ran out at this very moment
-- Params:   arrays of equal length, one element per cycle, each lane once. tokens: what a cycle is recognised by when it comes again;
--           lease_ids and ack_offsets: of the last message done, null where none is acknowledged or no lease was found; are_dead: that
--           message goes to the dead letters, with the error; are_kept: the holder keeps the lease and waits on purpose.
--           Then one element per key that changes, each key of a cycle once, with the position of its cycle; a null value deletes.
--           Then segments as in append_all, with the positions of their cycles.
-- Returns:  one row per cycle with its verdict, how many messages are finished by it, and whether the lease is over; and one row
--           per segment (push_index).
-- Locks:    what judge_cycles locks; then what append_all and add_counts lock.
-- Writes:   what append_all, nack and release write; stream_lane, stream_state, stream_count
#variable_conflict use_column
declare
    going       int[];
    moments     timestamptz[];
    befores     bigint[];
    pushing     int[];
    -- Those that acknowledge; dead: the positions among them of those whose message is dead.
    acking      int[];
    dead        int[];
    lanes       uuid[];
    groups      text[];
    leases      uuid[];
    completed   text[];
    live        int;
    answer      record;
begin
    for answer in
        select j.* from :api.judge_cycles(
            query_ids, partition_ids, group_names, tokens, are_acks, lease_ids, ack_offsets, op_cycles, op_keys, op_values) j
    loop
        if answer.verdict = 'go' then
            going := going || answer.index;
            moments := moments || answer.at;
            befores := befores || answer.committed;
        else
            return query select answer.index, answer.verdict, 0::bigint, false, null::int, null::bigint, null::timestamptz;
        end if;
    end loop;
    if going is null then
        return;
    end if;

    if exists (
        select
        from unnest(op_cycles, op_values, op_are_sealed) as o (cycle, value, is_sealed)
        cross join lateral (select q.source_queue from queen.stream_query q where q.id = query_ids[o.cycle] offset 0) q
        cross join lateral (select u.encryption_enabled from queen.queue u where u.name = q.source_queue offset 0) u
        where not o.is_sealed
          and o.value is not null
          and o.cycle = any (going)
          and u.encryption_enabled
    ) then
        raise exception 'encryption was switched on since this server read the catalog' using errcode = 'QN003';
    end if;

    pushing := array(select p.index::int from unnest(push_cycles) with ordinality as p (cycle, index) where p.cycle = any (going));
    if cardinality(pushing) > 0 then
        return query
        select push_cycles[pushing[a.index]], null::text, null::bigint, null::boolean, pushing[a.index], a.base, a.created_at
        from :api.append_all(
            array(select push_partition_ids[p] from unnest(pushing) p), array(select knowns[p] from unnest(pushing) p),
            array(select counts[p] from unnest(pushing) p), array(select hashes[p] from unnest(pushing) p),
            array(select bodies[p] from unnest(pushing) p), array(select largest_lines[p] from unnest(pushing) p),
            case when cardinality(limited_queue_ids) = 0 then limited_queue_ids
                 else array(select limited_queue_ids[p] from unnest(pushing) p) end,
            encryption_epoch) a;
    end if;

    acking := array(select g from unnest(going) g where are_acks[g]);
    if cardinality(acking) > 0 then
        lanes := array(select partition_ids[a] from unnest(acking) a);
        groups := array(select group_names[a] from unnest(acking) a);
        leases := array(select lease_ids[a] from unnest(acking) a);
        dead := array(select a.place::int from unnest(acking) with ordinality as a (index, place) where are_dead[a.index]);
        completed := array(select format('{(,%s)}', ack_offsets[a] + case when are_dead[a] then 0 else 1 end) from unnest(acking) a);
        if cardinality(dead) = 0 then
            select count(*) into live from :api.ack(lanes, groups, leases, completed) a where a.is_live;
        else
            select count(*) into live
            from :api.nack(
                lanes, groups, leases, completed, dead, array(select ack_offsets[acking[d]] from unnest(dead) d),
                array_fill('dlq'::text, array[cardinality(dead)]), array(select ack_errors[acking[d]] from unnest(dead) d)) n
            where n.item_index is null and n.is_live;
        end if;
        if live < cardinality(acking) then
            raise exception 'the lease of the acknowledged message has expired or was taken over' using errcode = 'QN002';
        end if;

        perform from :api.release(
            array(select partition_ids[a] from unnest(acking) a where not are_kept[a]),
            array(select group_names[a] from unnest(acking) a where not are_kept[a]),
            array(select lease_ids[a] from unnest(acking) a where not are_kept[a]));
        update cursor c
        set kept_lease_id = n.lease_id,
            :written(c)
        from unnest(acking) as a (index)
        cross join lateral (
            select v.ctid as tid, v.* from cursor v
            where v.partition_id = partition_ids[a.index] and v.group_name = group_names[a.index]
            order by v.generation desc limit 1
        ) n
        where are_kept[a.index]
          and n.lease_id = lease_ids[a.index]
          and n.lease_id is distinct from n.kept_lease_id
          and c.ctid = n.tid;
    end if;

    return query
    with changed as (
        select s.index, s.rows_added, s.bytes_added
        from :api.change_state(
            going, moments, query_ids, partition_ids, op_cycles, op_keys, op_values, op_window_ends, op_are_sealed) s
    ), done as (
        select g.index, g.at, case when are_acks[g.index] then c.committed - g.before else 0 end as finished,
               are_acks[g.index] and c.lease_id is distinct from lease_ids[g.index] as is_released,
               coalesce(x.rows_added, 0) as rows_added, coalesce(x.bytes_added, 0) as bytes_added,
               case when are_acks[g.index] then 0 else 1 end as flushes,
               (select coalesce(sum(counts[p]), 0) from unnest(pushing) p where push_cycles[p] = g.index) as emitted
        from unnest(going, moments, befores) as g (index, at, before)
        left join changed x on x.index = g.index
        left join lateral (
            select v.* from cursor v
            where v.partition_id = partition_ids[g.index] and v.group_name = group_names[g.index]
            order by v.generation desc limit 1
        ) c on true
    ), noted as (
        update stream_lane l
        set group_name = group_names[d.index],
            state_rows = l.state_rows + d.rows_added,
            state_bytes = l.state_bytes + d.bytes_added,
            cycles = l.cycles + 1,
            flushes = l.flushes + d.flushes,
            messages = l.messages + d.finished,
            emitted = l.emitted + d.emitted,
            last_cycle_at = d.at,
            tokens = (cycle.tokens[d.index] || l.tokens)[1:8]
        from done d
        where l.query_id = any (array[query_ids[d.index]])
          and l.partition_id = partition_ids[d.index]
        returning d.*, l.query_id, l.cycles = 1 as is_first
    ), counted as (
        select :api.add_counts(
            n.query_id, count(*) filter (where n.is_first), sum(n.rows_added)::bigint, sum(n.bytes_added)::bigint, count(*),
            sum(n.flushes), sum(n.finished)::bigint, sum(n.emitted)::bigint, max(n.at))
        from noted n
        group by n.query_id
    )
    select n.index, 'go', n.finished, n.is_released, null::int, null::bigint, null::timestamptz
    from noted n
    -- Counts are added because they are asked for.
    where (select count(*) from counted) > 0;
end
$$;
