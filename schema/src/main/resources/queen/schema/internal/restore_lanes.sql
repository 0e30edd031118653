create function :api.restore_lanes(partition_ids uuid[])
returns void
language plpgsql volatile
set lock_timeout = '20ms'
as $$
-- Promise:  lanes of which only the key is there, as after a restore of some tables, exist again, as far as what is left of them tells:
--           nothing that is stored is overwritten, and no offset that a group has come to is used again. Offsets of which no
--           message is left count as removed. A key whose queue is gone is removed.
-- Params:   the lanes; queues the caller has locked, so that they stay.
-- Returns:  nothing; a lane that somebody else is restoring is left to them.
-- Locks:    partition_key rows, ascending by id, waiting for a moment only; then the new partition rows.
-- Writes:   partition_key, partition
#variable_conflict use_column
declare
    lane    record;
begin
    for lane in
        select k.id, k.queue_id, k.name
        from partition_key k
        where k.id = any (partition_ids)
          and not exists (select 1 from partition p where p.id = k.id offset 0)
        order by k.id
        for update
    loop
        -- Somebody else may have restored it while this waited for the key.
        continue when exists (select 1 from partition p where p.id = lane.id);
        insert into partition (id, queue_id, name, head, tail, last_push_at, removed)
        select lane.id, q.id, lane.name, h.head, t.tail, s.last_push_at,
               nullif(int8multirange(int8range(t.tail, h.head)) - coalesce(s.stored, '{}'), '{}')
        from queue q
        cross join lateral (
            select min(x.base) as first, max(x.base + x.count) as "end", max(x.created_at) as last_push_at,
                   range_agg(int8range(x.base, x.base + x.count)) as stored
            from segment x
            where x.partition_id = lane.id
        ) s
        cross join lateral (
            select greatest(q.lane_floor, s."end", (
                       select max(greatest(c.committed, c.lease_end, upper(c.acked))) from cursor c where c.partition_id = lane.id), (
                       select max(d.message_offset) + 1 from dead_letter d where d.partition_id = lane.id)) as head
        ) h
        cross join lateral (select coalesce(s.first, h.head) as tail) t
        where q.id = lane.queue_id;
        if not found then
            delete from partition_key k where k.id = lane.id;
        end if;
    end loop;
exception when lock_not_available then
    null;
end
$$;
