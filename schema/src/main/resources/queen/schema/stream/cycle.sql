create function :api.cycle(
    query_ids uuid[], partition_ids uuid[], group_names text[], tokens uuid[], are_acks boolean[], lease_ids uuid[],
    ack_offsets bigint[], ack_errors text[], are_dead boolean[], are_kept boolean[],
    op_cycles int[], op_keys text[], op_values bytea[], op_window_ends double precision[], op_are_sealed boolean[],
    push_cycles int[], push_partition_ids uuid[], knowns bigint[], counts int[], hashes bytea[], bodies bytea[],
    largest_lines int[], limited_queue_ids uuid[], encryption_epoch bigint,
    hosts bigint[] default null)
returns table (index int, verdict text, finished bigint, is_released boolean, push_index int, base bigint, created_at timestamptz)
language plpgsql volatile
as $$
-- Promise:  applies each cycle as a whole or not at all: its segments are appended, everything up to the acknowledged message is finished
--           under its live lease, which is released or kept, and its state is changed. A cycle that check_cycles rejects has no effect. An
--           error in any applied cycle is raised, and no cycle is applied:
--             QN001, QN003, QN004  as append_all raises them; QN003 also if state must be encrypted and is not
--             QN002                a lease expired during the call
-- Params:   partitions of the selected shard, or of several if none is selected: then it processes them in order. Arrays of equal length,
--           one element per cycle, each partition once. tokens: identify a repeated cycle; lease_ids, ack_offsets: of the last processed
--           message, null if none is acknowledged or no lease was found; are_dead: that message becomes a dead letter, with the error;
--           are_kept: the holder keeps the lease and waits. Then one element per changed key, each key of a cycle once, with the position
--           of its cycle; a null value deletes the key. Then segments as in append_all, with the positions of their cycles. hosts: a hash
--           of the address of each sender, null if unknown; see check_cycles.
-- Returns:  one row per cycle with its verdict, the number of messages it finished, and whether the lease has ended; and one row per
--           segment (push_index).
-- Locks:    what check_cycles locks; then what append_all locks; then what finish_cycles locks.
-- Writes:   what append_all and finish_cycles write; stream_partition
#variable_conflict use_column
declare
    is_spread   constant boolean := current_schema() = 'queen';
    going       int[] := '{}';
    moments     timestamptz[] := array_fill(null::timestamptz, array[cardinality(query_ids)]);
    befores     bigint[] := array_fill(null::bigint, array[cardinality(query_ids)]);
    pushing     int[];
    part        record;
    result      record;
begin
    for part in select * from :api.shard_parts(partition_ids) loop
        perform :api.select_shard(part.shard);
        for result in
            select j.* from :api.check_cycles(
                part.indexes, query_ids, partition_ids, group_names, tokens, are_acks, lease_ids, ack_offsets, op_cycles, op_keys,
                op_values, hosts) j
        loop
            if result.verdict = 'go' then
                going := going || result.index;
                moments[result.index] := result.at;
                befores[result.index] := result.committed;
            else
                return query select result.index, result.verdict, 0::bigint, false, null::int, null::bigint, null::timestamptz;
            end if;
        end loop;
    end loop;
    if is_spread then
        perform :api.select_shard('queen');
    end if;
    if going = '{}' then
        return;
    end if;

    if exists (
        select 1
        from unnest(op_cycles, op_values, op_are_sealed) as o (cycle, value, is_sealed)
        cross join lateral (select q.source_queue from stream_query q where q.id = query_ids[o.cycle] offset 0) q
        cross join lateral (select u.encryption_enabled from queue u where u.name = q.source_queue offset 0) u
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

    for part in select * from :api.shard_parts(partition_ids) loop
        continue when not part.indexes && going;
        perform :api.select_shard(part.shard);
        return query
        select f.index, 'go', f.finished, f.is_released, null::int, null::bigint, null::timestamptz
        from :api.finish_cycles(
            array(select i from unnest(part.indexes) i where i = any (going)), moments, befores,
            query_ids, partition_ids, group_names, tokens, are_acks, lease_ids, ack_offsets, ack_errors, are_dead, are_kept,
            op_cycles, op_keys, op_values, op_window_ends, op_are_sealed,
            array(select push_cycles[p] from unnest(pushing) p), array(select counts[p] from unnest(pushing) p)) f;
    end loop;
    if is_spread then
        perform :api.select_shard('queen');
    end if;
end
$$;
