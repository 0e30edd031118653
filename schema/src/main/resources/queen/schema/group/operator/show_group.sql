create function :api.show_group(group_name text, queue text, "limit" bigint, after_name text, scope uuid[] default null)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns the position of a group in the partitions of the queues that it reads: of each queue the first partitions by name, up
--           to the limit, also those without a cursor. For a queue to which the group is not subscribed any more, only partitions with a
--           cursor.
-- Params:   queue: only this one; null for all. after_name: only partitions after this name, for the next page. scope: only these queues;
--           null for all.
-- Returns:  the object of the contract, keyed by queue; empty for a group that reads nothing.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    ids     uuid[] := '{}';
    looked  uuid[];
    reading record;
begin
    for reading in
        select r.id, bool_or(r.is_subscribed) as is_subscribed
        from (
            select q.id, false as is_subscribed
            from group_depth g
            join queen.queue q on q.id = g.queue_id
            where g.group_name = show_group.group_name
              and (show_group.queue is null or q.name = show_group.queue)
              and (scope is null or q.id = any (scope))
            union all
            select q.id, not s.is_preset
            from queen.subscription s
            join queen.queue q on q.name = s.queue_name
                or s.queue_name = '' and s.namespace in ('', q.namespace) and s.task in ('', q.task)
            where s.group_name = show_group.group_name
              and (show_group.queue is null or q.name = show_group.queue)
              and (scope is null or q.id = any (scope))
        ) r
        group by r.id
    loop
        exit when cardinality(ids) >= 10 * show_group."limit";
        if reading.is_subscribed then
            ids := ids || array(select l.id from :api.partition_page(reading.id, coalesce(after_name, ''), show_group."limit") l order by l.name);
        else
            -- Searches ten times the page for partitions with a cursor of the group.
            looked := array(select l.id from :api.partition_page(reading.id, coalesce(after_name, ''), 10 * show_group."limit") l order by l.name);
            ids := ids || (array(
                select looked[s.index] from :api.delivery_states(looked, array_fill(show_group.group_name, array[cardinality(looked)])) s
                where s.has_cursor order by s.index))[:show_group."limit"];
        end if;
    end loop;
    ids := ids[:10 * show_group."limit"];
    return (
        select coalesce(json_object_agg(x.queue, json_build_object('partitions', x.partitions)), '{}')::text
        from (
            select q.name as queue, json_agg(json_build_object(
                'partition', p.name,
                'partitionId', p.id,
                'workerId', c.lease_id,
                'lastConsumedAt', :api.iso_millis(c.last_ack_at),
                'totalConsumed', coalesce(c.completed_count, 0),
                'totalDeadLettered', coalesce(c.dead_count, 0),
                'totalSkipped', coalesce(c.skipped_count, 0),
                'totalExpired', coalesce(c.expired_count, 0),
                'offset', s.first,
                'offsetLag', s.pending,
                'timeLagSeconds', :api.seconds_since(:api.due_since(
                    s.oldest_at, q.delayed_processing_s, q.window_buffer_s, p.last_push_at, c.retry_at)),
                'leaseActive', coalesce(c.lease_until > clock_timestamp(), false),
                'leaseExpiresAt', :api.iso_millis(c.lease_until),
                'state', s.state) order by p.name) as partitions
            from :api.delivery_states(ids, array_fill(show_group.group_name, array[cardinality(ids)])) s
            cross join lateral (select (s.partition).*) p
            cross join lateral (select (s.reader).*) c
            join queen.queue q on q.id = p.queue_id
            group by q.name
        ) x);
end
$$;
