create function :api.show_query(name text, "limit" bigint, after text)
returns text
language plpgsql stable
as $$
-- Promise:  one stream query with a page of its lanes.
-- Params:   the query's name; how many lanes; the lane after which to begin, by name, null for the first.
-- Returns:  what query_document says, and partitions: [{partitionId, partition, stateRows, stateBytes, cycles, flushes, messages, emitted,
--           lastCycleAt, unread, leasedUntil}], by name; null when there is no such query.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select (:api.query_document(q) || jsonb_build_object('partitions', coalesce((
            select jsonb_agg(jsonb_build_object(
                'partitionId', l.partition_id,
                'partition', l.partition_name,
                'stateRows', l.state_rows,
                'stateBytes', l.state_bytes,
                'cycles', l.cycles,
                'flushes', l.flushes,
                'messages', l.messages,
                'emitted', l.emitted,
                'lastCycleAt', :api.iso_millis(l.last_cycle_at),
                'unread', :api.unread(greatest(c.committed, p.tail), p.head, c.acked, p.removed),
                'leasedUntil', case when c.lease_until > clock_timestamp() then :api.iso_millis(c.lease_until) end
            ) order by l.partition_name)
            from (
                select l.*
                from stream_lane l
                where l.query_id = q.id
                  and l.partition_name > coalesce(show_query.after, '')
                order by l.partition_name
                limit show_query."limit"
            ) l
            cross join lateral (select v.* from partition v where v.id = l.partition_id order by v.generation desc limit 1) p
            left join lateral (
                select v.* from cursor v
                where v.partition_id = l.partition_id and v.group_name = coalesce(l.group_name, 'streams.' || q.id)
                order by v.generation desc limit 1
            ) c on true
        ), '[]')))::text
        from queen.stream_query q
        where q.name = show_query.name);
end
$$;
