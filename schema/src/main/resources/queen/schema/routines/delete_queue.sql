create function :api.delete_queue(actor text, name text)
returns boolean
language plpgsql volatile
set search_path = queen, pg_temp
as $$
-- Promise:  the queue, its lanes, messages, cursors, dead letters, traces, the state of stream queries in its lanes and what groups
--           subscribed to it by name are gone; subscriptions to namespaces and tasks stay, and so do the queries.
-- Params:   actor: who asks, for the audit; the queue's name.
-- Returns:  whether there was such a queue.
-- Locks:    the queen.queue row, so that no lane or cursor can be added; then, shard by shard, its partition rows, ascending
--           by id, its cursor rows, ascending by (partition_id, group_name), and stream_lane rows; queen.catalog.
-- Writes:   every table that speaks of the queue or its lanes; queen.catalog, queen.audit
#variable_conflict use_column
declare
    was queen.queue;
    gone uuid;
    lanes uuid[];
    reasons text[];
    changes bigint[];
    removed uuid[] := '{}';
    shard text;
begin
    select q.* into was from queen.queue q where q.name = delete_queue.name for update;
    if not found then
        return false;
    end if;
    gone := was.id;

    foreach shard in array :api.shards() loop
        perform :api.enter(shard);
        lanes := array(select p.id from partition p where p.queue_id = gone order by p.id for update);
        perform from cursor c where c.partition_id = any (lanes) order by c.partition_id, c.group_name for update;
        perform :api.remove_lanes(lanes);
        with buried as (
            delete from dead_letter d where d.queue_id = gone returning d.reason
        ), counted as (
            select b.reason, count(*) as count from buried b group by b.reason
        )
        select array_agg(c.reason), array_agg(-c.count) into reasons, changes from counted c;
        if reasons is not null then
            perform :api.note_dead_letters(
                array_fill(gone, array[cardinality(reasons)]), reasons, array_fill(0::bigint, array[cardinality(reasons)]), changes);
        end if;
        delete from lane_upkeep u where u.queue_id = gone;
        delete from queue_upkeep u where u.queue_id = gone;
        delete from retention_minute m where m.queue_id = gone;
        perform :api.touch_lanes(lanes[1:50000], '{}');
        removed := removed || lanes;
    end loop;
    perform :api.forget_traces(removed, array_fill(0::bigint, array[cardinality(removed)]),
                               array_fill(9223372036854775807, array[cardinality(removed)]));
    -- Else a queue that is created anew would have readers that nobody knows of. Who still asks for it subscribes again.
    delete from queen.subscription s where s.queue_name = delete_queue.name;
    delete from queen.queue q where q.id = gone;
    perform :api.audit(actor, 'delete', 'queue ' || delete_queue.name,
                       :api.queue_options(was) || jsonb_build_object('lanes', cardinality(removed)), null);
    update queen.catalog set version = version + 1;
    return true;
end
$$;
