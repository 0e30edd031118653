create function :api.change_state(
    going int[], moments timestamptz[], query_ids uuid[], partition_ids uuid[],
    op_cycles int[], op_keys text[], op_values bytea[], op_window_ends double precision[], op_are_sealed boolean[])
returns table (index int, rows_added bigint, bytes_added bigint)
language plpgsql volatile
as $$
-- Promise:  the state of each query and lane is as the cycles that take effect want it.
-- Params:   going: the cycles that take effect, and for each of them the moment; the others as in cycle. The caller holds the
--           stream_lane rows.
-- Returns:  one row per cycle that changes state: by how much it grew.
-- Locks:    none of its own.
-- Writes:   stream_state
#variable_conflict use_column
begin
    return query
    with op as (
        select g.index, q.state_id, partition_ids[g.index] as partition_id, o.key, o.value, o.window_end, o.is_sealed, g.at
        from unnest(going, moments) as g (index, at)
        cross join lateral (select q.state_id from queen.stream_query q where q.id = query_ids[g.index] offset 0) q
        join unnest(op_cycles, op_keys, op_values, op_window_ends, op_are_sealed)
             as o (cycle, key, value, window_end, is_sealed) on o.cycle = g.index
    ), before as (
        select o.index, count(s.size) as rows, coalesce(sum(s.size), 0) as bytes
        from op o
        left join lateral (
            select octet_length(s.key) + octet_length(s.value) as size
            from stream_state s
            where s.state_id = o.state_id and s.partition_id = o.partition_id and s.key = o.key
        ) s on true
        group by o.index
    ), deleted as (
        delete from stream_state s
        using op o
        where o.value is null
          and s.state_id = any (array[o.state_id])
          and s.partition_id = o.partition_id
          and s.key = o.key
    ), written as (
        insert into stream_state as s (state_id, partition_id, key, value, is_sealed, window_end, updated_at)
        select o.state_id, o.partition_id, o.key, o.value, o.is_sealed, o.window_end, o.at
        from op o
        where o.value is not null
        on conflict (state_id, partition_id, key) do update
        set value = excluded.value,
            is_sealed = excluded.is_sealed,
            window_end = excluded.window_end,
            updated_at = excluded.updated_at
    ), after as (
        select o.index, count(o.value) as rows, coalesce(sum(octet_length(o.key) + octet_length(o.value)), 0) as bytes
        from op o
        group by o.index
    )
    select a.index, a.rows - b.rows, (a.bytes - b.bytes)::bigint
    from after a
    join before b on b.index = a.index;
end
$$;
