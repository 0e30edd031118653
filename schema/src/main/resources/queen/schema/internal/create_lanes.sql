create function :api.create_lanes(partition_ids uuid[], queue_ids uuid[], names text[])
returns void
language plpgsql volatile
set lock_timeout = '20ms'
as $$
-- Promise:  afterwards each lane exists, unless somebody is creating it in a transaction that is still open: that one is not
--           waited for longer than a moment, and keeps no other lane from being created. After ten such lanes the rest is left out.
-- Params:   arrays of equal length, each lane once; queues the caller has locked, so that they stay.
-- Returns:  nothing.
-- Locks:    the new queen.partition rows, ascending by id, waiting for a moment only.
-- Writes:   queen.partition
#variable_conflict use_column
declare
    lane    record;
    held    int := 0;
begin
    -- Nobody can see a row that is not committed, but who inserts the same one has to wait for it: the wait is the only sign.
    insert into queen.partition (id, queue_id, name, head, tail)
    select i.partition_id, i.queue_id, i.name, q.lane_floor, q.lane_floor
    from unnest(partition_ids, queue_ids, names) as i (partition_id, queue_id, name)
    join queen.queue q on q.id = any (array[i.queue_id])
    order by i.partition_id;
exception when lock_not_available then
    for lane in
        select i.*
        from unnest(partition_ids, queue_ids, names) as i (partition_id, queue_id, name)
        order by i.partition_id
    loop
        exit when held = 10;
        begin
            perform set_config('lock_timeout', '1ms', true);
            insert into queen.partition (id, queue_id, name, head, tail)
            select lane.partition_id, lane.queue_id, lane.name, q.lane_floor, q.lane_floor
            from queen.queue q
            where q.id = lane.queue_id;
        exception when lock_not_available then
            held := held + 1;
        end;
    end loop;
end
$$;
