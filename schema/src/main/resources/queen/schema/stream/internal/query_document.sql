create function :api.query_document(query queen.stream_query)
returns jsonb
language plpgsql stable
as $$
-- Promise:  returns a stream query as a JSON document: definition, progress and size of its state. Reads neither partitions nor state;
--           unread messages are taken from the sums per queue and group.
-- Params:   the query.
-- Returns:  {id, name, sourceQueue, sinkQueue, configHash, consumerGroup, createdAt, resetAt, partitionCount, stateRows, stateBytes, cycles,
--           flushes, messages, emitted, lastCycleAt, lag, lagSeconds}.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select jsonb_build_object(
            'id', query.id,
            'name', query.name,
            'sourceQueue', query.source_queue,
            'sinkQueue', query.sink_queue,
            'configHash', query.config_hash,
            'consumerGroup', 'streams.' || query.id,
            'createdAt', :api.iso_millis(query.created_at),
            'resetAt', :api.iso_millis(query.reset_at),
            'partitionCount', l.partitions,
            'stateRows', l.state_rows,
            'stateBytes', l.state_bytes,
            'cycles', l.cycles,
            'flushes', l.flushes,
            'messages', l.messages,
            'emitted', l.emitted,
            'lastCycleAt', :api.iso_millis(l.last_cycle_at),
            'lag', coalesce(g.pending, 0),
            'lagSeconds', coalesce(greatest(0, floor(extract(epoch from clock_timestamp() - g.oldest_at)))::bigint, 0))
        from (
            select coalesce(sum(l.partitions), 0) as partitions, coalesce(sum(l.state_rows), 0) as state_rows, coalesce(sum(l.state_bytes), 0) as state_bytes,
                   coalesce(sum(l.cycles), 0) as cycles, coalesce(sum(l.flushes), 0) as flushes, coalesce(sum(l.messages), 0) as messages,
                   coalesce(sum(l.emitted), 0) as emitted, max(l.last_cycle_at) as last_cycle_at
            from stream_count l
            where l.query_id = query.id
        ) l
        left join lateral (
            select g.pending, g.oldest_at
            from queen.queue q
            join group_depth g on g.queue_id = any (array[q.id]) and g.group_name = 'streams.' || query.id
            where q.name = query.source_queue
        ) g on true);
end
$$;
