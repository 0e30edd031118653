create function :api.change_state(
    going int[], moments timestamptz[], query_ids uuid[], partition_ids uuid[],
    op_cycles int[], op_keys text[], op_values bytea[], op_window_ends double precision[], op_are_sealed boolean[])
returns table (index int, rows_added bigint, bytes_added bigint)
language plpgsql volatile
as $$
-- Promise:  applies the state changes of cycles.
-- Params:   going: the cycles to apply, and for each of them its time; the others as in cycle. The caller has locked the stream_partition
--           rows.
-- Returns:  one row per cycle that changes state: by how much it grew.
-- Locks:    none of its own.
-- Writes:   stream_state
#variable_conflict use_column
declare
    cycles  int[];
    states  uuid[];
    places  bigint[];
    ats     timestamptz[];
    befores bigint[];
begin
    -- Each changed key, with its present size.
    select array_agg(g.index), array_agg(q.state_id), array_agg(o.place), array_agg(g.at), array_agg(s.size)
    into cycles, states, places, ats, befores
    from unnest(going, moments) as g (index, at)
    cross join lateral (select q.state_id from stream_query q where q.id = query_ids[g.index] offset 0) q
    join unnest(op_cycles) with ordinality as o (cycle, place) on o.cycle = g.index
    left join lateral (
        select octet_length(s.key) + octet_length(s.value) as size
        from stream_state s
        where s.state_id = q.state_id and s.partition_id = partition_ids[g.index] and s.key = op_keys[o.place]
        offset 0
    ) s on true;
    if cycles is null then
        return;
    end if;

    delete from stream_state s
    using unnest(cycles, states, places) as o (cycle, state_id, place)
    where op_values[o.place] is null
      and s.state_id = any (array[o.state_id])
      and s.partition_id = partition_ids[o.cycle]
      and s.key = op_keys[o.place];
    insert into stream_state as s (state_id, partition_id, key, value, is_sealed, window_end, updated_at)
    select o.state_id, partition_ids[o.cycle], op_keys[o.place], op_values[o.place], op_are_sealed[o.place], op_window_ends[o.place],
           o.at
    from unnest(cycles, states, places, ats) as o (cycle, state_id, place, at)
    where op_values[o.place] is not null
    on conflict (state_id, partition_id, key) do update
    set value = excluded.value,
        is_sealed = excluded.is_sealed,
        window_end = excluded.window_end,
        updated_at = excluded.updated_at;

    return query
    select o.cycle, count(op_values[o.place]) - count(o.before),
           coalesce(sum(octet_length(op_keys[o.place]) + octet_length(op_values[o.place])), 0) - coalesce(sum(o.before), 0)::bigint
    from unnest(cycles, places, befores) as o (cycle, place, before)
    group by o.cycle;
end
$$;
