create function :api.add_counts(
    query_id uuid, partitions bigint, state_rows bigint, state_bytes bigint, cycles bigint, flushes bigint, messages bigint,
    emitted bigint, last_cycle_at timestamptz)
returns void
language plpgsql volatile
as $$
-- Promise:  adds changes to the sums of the query.
-- Params:   the query; the change of each sum, possibly negative; the time of the last cycle, null for none.
-- Returns:  nothing.
-- Locks:    one stream_count row of the query, never waiting.
-- Writes:   stream_count
#variable_conflict use_column
begin
    update stream_count c
    set partitions = c.partitions + add_counts.partitions,
        state_rows = c.state_rows + add_counts.state_rows,
        state_bytes = c.state_bytes + add_counts.state_bytes,
        cycles = c.cycles + add_counts.cycles,
        flushes = c.flushes + add_counts.flushes,
        messages = c.messages + add_counts.messages,
        emitted = c.emitted + add_counts.emitted,
        last_cycle_at = greatest(c.last_cycle_at, add_counts.last_cycle_at)
    where c.id = (
        select f.id
        from stream_count f
        where f.query_id = add_counts.query_id
        order by f.id
        limit 1
        for update skip locked);
    if not found then
        insert into stream_count (query_id, partitions, state_rows, state_bytes, cycles, flushes, messages, emitted, last_cycle_at)
        values (add_counts.query_id, add_counts.partitions, add_counts.state_rows, add_counts.state_bytes, add_counts.cycles,
                add_counts.flushes, add_counts.messages, add_counts.emitted, add_counts.last_cycle_at);
    end if;
end
$$;
