create function :api.clear_queue(actor text, queue text, partition text)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
as $$
-- Promise:  every message of the queue, or of one of its lanes, is gone for everybody; leases are over, and what is pushed from
--           now on is delivered. Dead letters stay.
-- Params:   the queue's name; the lane's name, null for all lanes.
-- Returns:  {success, queue, partition, cleared, message}; null when there is no such queue or lane.
-- Locks:    the queen.queue row; then, shard by shard, the partition rows, ascending by id, and their cursor rows, ascending; queen.catalog.
-- Writes:   what speaks of the lanes' messages; lane_upkeep, queen.audit, queen.queue, queen.catalog
#variable_conflict use_column
declare
    emptied     uuid;
    lanes       uuid[];
    heads       bigint[];
    here        bigint;
    all_lanes   uuid[] := '{}';
    all_heads   bigint[] := '{}';
    cleared     bigint := 0;
    shard       text;
begin
    select q.id into emptied from queen.queue q where q.name = clear_queue.queue for no key update;
    if not found then
        return null;
    end if;

    foreach shard in array :api.shards() loop
        perform :api.enter(shard);
        with locked as (
            select p.id, p.head, p.tail
            from partition p
            where p.queue_id = emptied
              and (clear_queue.partition is null or p.id = :api.partition_id(emptied, clear_queue.partition))
            order by p.id
            for no key update
        )
        select array_agg(l.id order by l.id), array_agg(l.head order by l.id), coalesce(sum(l.head - l.tail), 0)
        into lanes, heads, here
        from locked l;
        continue when lanes is null;
        all_lanes := all_lanes || lanes;
        all_heads := all_heads || heads;
        cleared := cleared + here;

        update partition p set tail = p.head, removed = null where p.id = any (lanes) and (p.tail < p.head or p.removed is not null);
        delete from segment s where s.partition_id = any (lanes);
        perform :api.watch_idle(lanes);
        perform from cursor c where c.partition_id = any (lanes) order by c.partition_id, c.group_name for update;
        update cursor c
        set committed = l.head, acked = null, lease_id = null, lease_until = null, lease_end = null,
            is_failing = false, retry_at = null
        from unnest(lanes, heads) as l (id, head)
        where c.partition_id = l.id;
        delete from failure x where x.partition_id = any (lanes);
    end loop;
    if all_lanes = '{}' and clear_queue.partition is not null then
        return null;
    end if;

    perform :api.forget_traces(all_lanes, array_fill(0::bigint, array[cardinality(all_lanes)]), all_heads);
    perform :api.queue_revised(emptied);
    perform :api.audit(actor, 'clear', 'queue ' || clear_queue.queue || coalesce(', lane ' || clear_queue.partition, ''),
                       jsonb_build_object('messages', cleared), jsonb_build_object('messages', 0));
    return json_build_object('success', true, 'queue', clear_queue.queue, 'partition', clear_queue.partition,
                             'cleared', cleared, 'message', cleared || ' messages are gone')::text;
end
$$;
