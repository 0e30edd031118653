create function :api.delete_queue(actor text, name text)
returns boolean
language plpgsql volatile
as $$
-- Promise:  the queue, its lanes, messages, cursors, dead letters, traces, the state of stream queries in its lanes and what groups
--           subscribed to it by name are gone; subscriptions to namespaces and tasks stay, and so do the queries.
-- Params:   actor: who asks, for the audit; the queue's name.
-- Returns:  whether there was such a queue.
-- Locks:    the queen.queue row, so that no lane or cursor can be added; then its queen.partition rows, ascending by id;
--           then its queen.cursor rows, ascending by (partition_id, group_name); queen.stream_lane rows; queen.catalog.
-- Writes:   every table that speaks of the queue or its lanes; queen.catalog, queen.audit
#variable_conflict use_column
declare
    was queen.queue;
    gone uuid;
    lanes uuid[];
begin
    select q.* into was from queen.queue q where q.name = delete_queue.name for update;
    if not found then
        return false;
    end if;
    gone := was.id;

    lanes := array(select p.id from queen.partition p where p.queue_id = gone order by p.id for update);
    perform from queen.cursor c where c.partition_id = any (lanes) order by c.partition_id, c.group_name for update;
    delete from queen.segment s where s.partition_id = any (lanes);
    delete from queen.cursor c where c.partition_id = any (lanes);
    delete from queen.failure f where f.partition_id = any (lanes);
    perform :api.forget_stream_lanes(lanes);
    perform :api.forget_traces(lanes, array_fill(0::bigint, array[cardinality(lanes)]),
                               array_fill(9223372036854775807, array[cardinality(lanes)]));
    delete from queen.dead_letter d where d.queue_id = gone;
    delete from queen.lane_upkeep u where u.queue_id = gone;
    delete from queen.queue_upkeep u where u.queue_id = gone;
    delete from queen.retention_minute m where m.queue_id = gone;
    -- Else a queue that is created anew would have readers that nobody knows of. Who still asks for it subscribes again.
    delete from queen.subscription s where s.queue_name = delete_queue.name;
    perform :api.touch_lanes(lanes[1:50000], '{}');
    delete from queen.partition p where p.queue_id = gone;
    delete from queen.queue q where q.id = gone;
    perform :api.audit(actor, 'delete', 'queue ' || delete_queue.name,
                       :api.queue_options(was) || jsonb_build_object('lanes', cardinality(lanes)), null);
    update queen.catalog set version = version + 1;
    return true;
end
$$;
