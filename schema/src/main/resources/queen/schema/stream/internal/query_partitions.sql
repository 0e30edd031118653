create function :api.query_partitions(query_id uuid, after_name text, rows_max bigint)
returns table (found_name text, document jsonb)
language plpgsql stable
as $$
-- Promise:  returns the progress of a stream query in its partitions, and its unread messages there.
-- Params:   the query; after_name: only partitions after this name; rows_max: the maximum number per shard.
-- Returns:  one row per partition; if no shard is selected, those of all shards, in no order.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    at      timestamptz := clock_timestamp();
    shard   text;
begin
    if current_schema() = 'queen' then
        foreach shard in array :api.shards() loop
            perform :api.select_shard(shard);
            return query select l.* from :api.query_partitions(query_partitions.query_id, after_name, rows_max) l;
        end loop;
        perform :api.select_shard('queen');
        return;
    end if;
    return query
    select l.partition_name, jsonb_build_object(
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
        'leasedUntil', case when c.lease_until > at then :api.iso_millis(c.lease_until) end,
        'idleExpiries', case when l.idle_offset = c.committed then l.idle_expiries else 0 end,
        'idleSince', case when l.idle_offset = c.committed then :api.iso_millis(l.idle_since) end)
    from (
        select l.*
        from stream_partition l
        where l.query_id = query_partitions.query_id
          and l.partition_name > after_name
        order by l.partition_name
        limit rows_max
    ) l
    cross join lateral :newest_partition(l.partition_id) p
    left join lateral :newest_cursor(l.partition_id, coalesce(l.group_name, 'streams.' || query_partitions.query_id)) c on true;
end
$$;
