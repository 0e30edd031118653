create function :api.finish_cycles(
    going int[], moments timestamptz[], befores bigint[],
    query_ids uuid[], partition_ids uuid[], group_names text[], tokens uuid[], are_acks boolean[], lease_ids uuid[],
    ack_offsets bigint[], ack_errors text[], are_dead boolean[], are_kept boolean[],
    op_cycles int[], op_keys text[], op_values bytea[], op_window_ends double precision[], op_are_sealed boolean[],
    push_cycles int[], push_counts int[])
returns table (index int, finished bigint, is_released boolean)
language plpgsql volatile
as $$
-- Promise:  applies cycles that check_cycles accepted, except for their pushes: acknowledged messages are finished, leases are released or
--           kept, state is changed, and the sums are updated. QN002: a lease expired during the call.
-- Params:   going: the cycles, whose partitions are in the selected shard; moments, befores: of every cycle, as check_cycles returned them;
--           the others as in cycle; push_cycles, push_counts: of the appended segments.
-- Returns:  one row per cycle, as in cycle.
-- Locks:    what add_counts locks; the caller has locked all other rows.
-- Writes:   what nack and release write; stream_partition, stream_state, stream_count
#variable_conflict use_column
declare
    -- The cycles with an ack; dead: the positions among them of those with a dead letter.
    acking      int[];
    dead        int[];
    partitions  uuid[];
    groups      text[];
    leases      uuid[];
    completed   text[];
    live        int;
    grown       record;
    done        record;
    begun       record;
begin
    acking := array(select g from unnest(going) g where are_acks[g]);
    if cardinality(acking) > 0 then
        partitions := array(select partition_ids[a] from unnest(acking) a);
        groups := array(select group_names[a] from unnest(acking) a);
        leases := array(select lease_ids[a] from unnest(acking) a);
        dead := array(select a.place::int from unnest(acking) with ordinality as a (index, place) where are_dead[a.index]);
        completed := array(select format('{(,%s)}', ack_offsets[a] + case when are_dead[a] then 0 else 1 end) from unnest(acking) a);
        if cardinality(dead) = 0 then
            select count(*) into live from :api.ack(partitions, groups, leases, completed) a where a.is_live;
        else
            select count(*) into live
            from :api.nack(
                partitions, groups, leases, completed, dead, array(select ack_offsets[acking[d]] from unnest(dead) d),
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
        cross join lateral :newest_cursor_row(partition_ids[a.index], group_names[a.index]) n
        where are_kept[a.index]
          and n.lease_id = lease_ids[a.index]
          and n.lease_id is distinct from n.kept_lease_id
          and c.ctid = n.tid;
    end if;

    select array_agg(s.index) as cycles, array_agg(s.rows_added) as rows, array_agg(s.bytes_added) as bytes
    into grown
    from :api.change_state(
        going, array(select moments[g] from unnest(going) g), query_ids, partition_ids, op_cycles, op_keys, op_values, op_window_ends,
        op_are_sealed) s;
    select array_agg(g.index) as cycles, array_agg(case when are_acks[g.index] then c.committed - befores[g.index] else 0 end) as finished,
           array_agg(are_acks[g.index] and c.lease_id is distinct from lease_ids[g.index]) as released,
           array_agg(coalesce(x.rows_added, 0)) as rows, array_agg(coalesce(x.bytes_added, 0)) as bytes,
           array_agg(case when are_acks[g.index] then 0 else 1 end) as flushes,
           array_agg((select coalesce(sum(p.count), 0)::bigint from unnest(push_cycles, push_counts) as p (cycle, count)
                      where p.cycle = g.index)) as emitted,
           array_agg(query_ids[g.index]) as queries, array_agg(partition_ids[g.index]) as partitions, array_agg(group_names[g.index]) as groups,
           array_agg(moments[g.index]) as ats, array_agg(finish_cycles.tokens[g.index]) as tokens
    into done
    from unnest(going) as g (index)
    left join unnest(grown.cycles, grown.rows, grown.bytes) as x (index, rows_added, bytes_added) on x.index = g.index
    left join lateral :newest_cursor(partition_ids[g.index], group_names[g.index]) c on true;

    -- The first cycle of a partition increments the number of partitions.
    select array_agg(l.cycles = 0 order by d.index) as firsts
    into begun
    from unnest(done.cycles) with ordinality as d (cycle, index)
    join stream_partition l on l.query_id = any (array[query_ids[d.cycle]]) and l.partition_id = partition_ids[d.cycle];
    perform :api.add_counts(
        query_ids[n.index], count(*) filter (where n.is_first), sum(n.rows_added)::bigint, sum(n.bytes_added)::bigint, count(*),
        sum(n.flushes), sum(n.finished)::bigint, sum(n.emitted)::bigint, max(moments[n.index]))
    from unnest(done.cycles, done.finished, done.rows, done.bytes, done.flushes, done.emitted, begun.firsts)
         as n (index, finished, rows_added, bytes_added, flushes, emitted, is_first)
    group by query_ids[n.index];
    update stream_partition l
    set group_name = d.group_name,
        state_rows = l.state_rows + d.rows_added,
        state_bytes = l.state_bytes + d.bytes_added,
        cycles = l.cycles + 1,
        flushes = l.flushes + d.flushes,
        messages = l.messages + d.finished,
        emitted = l.emitted + d.emitted,
        last_cycle_at = d.at,
        tokens = d.token || trim_array(l.tokens, greatest(cardinality(l.tokens) - 7, 0))
    from unnest(done.queries, done.partitions, done.groups, done.ats, done.tokens, done.finished, done.rows, done.bytes, done.flushes, done.emitted)
         as d (query_id, partition_id, group_name, at, token, finished, rows_added, bytes_added, flushes, emitted)
    where l.query_id = any (array[d.query_id])
      and l.partition_id = d.partition_id;

    return query select d.index, d.finished, d.released from unnest(done.cycles, done.finished, done.released) as d (index, finished, released);
end
$$;
