create function :api.show_lane(partition_id uuid)
returns text
language plpgsql stable
as $$
-- Promise:  one lane with all that is known of it: what it holds, and how each group stands there.
-- Params:   the lane.
-- Returns:  as in list_lanes, with groups: cursor, lease, attempts, pending retry, error and totals of each; null when there is
--           no such lane.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    groups  text[];
    lane    jsonb;
begin
    select d.document::jsonb into lane from :api.lane_documents(array[show_lane.partition_id], null) d;
    if not found then
        return null;
    end if;
    groups := array(
        select c.group_name
        from queen.cursor c
        where c.partition_id = show_lane.partition_id
        order by c.group_name
        limit 1000);

    return (
        select lane || jsonb_build_object('groups', coalesce(jsonb_agg(jsonb_build_object(
            'consumerGroup', c.group_name,
            'state', s.state,
            'until', :api.iso_millis(s.until_at),
            'offset', s.first,
            'offsetLag', s.pending,
            'processing', s.processing,
            'timeLagSeconds', coalesce(greatest(0, floor(extract(epoch from clock_timestamp() - s.oldest_at)))::bigint, 0),
            'leaseId', s.lease_id,
            'leaseExpiresAt', :api.iso_millis(s.lease_until),
            'attempts', s.attempts,
            'retryAt', :api.iso_millis(c.retry_at),
            'error', s.error,
            'ackedAhead', c.acked::text,
            'totalConsumed', c.completed_count,
            'totalDeadLettered', c.dead_count,
            'totalSkipped', c.skipped_count,
            'totalExpired', c.expired_count,
            'lastConsumedAt', :api.iso_millis(c.last_ack_at),
            'createdAt', :api.iso_millis(c.created_at)
        ) order by c.group_name), '[]'))
        from :api.standing(array_fill(show_lane.partition_id, array[cardinality(groups)]), groups) s
        join queen.cursor c on c.partition_id = show_lane.partition_id and c.group_name = groups[s.index])::text;
end
$$;
