create function :api.show_partition(partition_id uuid)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns one partition: its counts, and the state of each group.
-- Params:   the partition.
-- Returns:  as in list_partitions, with groups, including subscribed groups without a cursor: cursor, lease, attempts, pending retry, error
--           and totals of each; null if the partition does not exist.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    groups  text[];
    shown   jsonb;
begin
    perform :api.select_shard(:api.shard_of(show_partition.partition_id));
    select d.document::jsonb into shown from :api.partition_documents(array[show_partition.partition_id], null) d;
    if not found then
        return null;
    end if;
    groups := array(select r.group_name from :api.readers_of(array[show_partition.partition_id]) r order by r.group_name limit 1000);

    return (
        select shown || jsonb_build_object('groups', coalesce(jsonb_agg(jsonb_build_object(
            'consumerGroup', groups[s.index],
            'state', s.state,
            'until', :api.iso_millis(s.until_at),
            'offset', s.first,
            'offsetLag', s.pending,
            'processing', s.processing,
            'timeLagSeconds', :api.seconds_since(:api.due_since(
                s.oldest_at, q.delayed_processing_s, q.window_buffer_s, p.last_push_at, c.retry_at)),
            'leaseId', s.lease_id,
            'leaseExpiresAt', :api.iso_millis(s.lease_until),
            'attempts', s.attempts,
            'retryAt', :api.iso_millis(c.retry_at),
            'error', s.error,
            'ackedAhead', c.acked::text,
            'totalConsumed', coalesce(c.completed_count, 0),
            'totalDeadLettered', coalesce(c.dead_count, 0),
            'totalSkipped', coalesce(c.skipped_count, 0),
            'totalExpired', coalesce(c.expired_count, 0),
            'lastConsumedAt', :api.iso_millis(c.last_ack_at),
            'createdAt', :api.iso_millis(c.created_at)
        ) order by groups[s.index]), '[]'))
        from :api.delivery_states(array_fill(show_partition.partition_id, array[cardinality(groups)]), groups) s
        cross join lateral (select (s.partition).*) p
        cross join lateral (select (s.reader).*) c
        join queen.queue q on q.id = p.queue_id)::text;
end
$$;
