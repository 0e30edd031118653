create function :api.restore_partitions(partition_ids uuid[])
returns void
language plpgsql volatile
set lock_timeout = '20ms'
as $$
-- Promise:  recreates partitions of which only the key exists, as after a restore of some tables, from the remaining rows: nothing stored
--           is overwritten, and no offset that a group has reached is reused. Offsets without a message count as removed. A key without a
--           queue is deleted.
-- Params:   the partitions; the caller has locked their queues.
-- Returns:  nothing; a partition that another transaction is restoring is left out.
-- Locks:    partition_key rows, ascending by id, waiting for a moment only (lock_timeout); then the new partition rows.
-- Writes:   partition_key, partition
#variable_conflict use_column
declare
    partition_row    record;
begin
    for partition_row in
        select k.id, k.queue_id, k.name
        from partition_key k
        where k.id = any (partition_ids)
          and not exists (select 1 from partition p where p.id = k.id offset 0)
        order by k.id
        for update
    loop
        -- Another transaction may have restored it during the wait for the key.
        continue when exists (select 1 from partition p where p.id = partition_row.id);
        insert into partition (id, queue_id, name, head, tail, last_push_at, removed)
        select partition_row.id, q.id, partition_row.name, h.head, t.tail, s.last_push_at,
               nullif(int8multirange(int8range(t.tail, h.head)) - coalesce(s.stored, '{}'), '{}')
        from queue q
        cross join lateral (
            select min(x.base) as first, max(x.base + x.count) as "end", max(x.created_at) as last_push_at,
                   range_agg(int8range(x.base, x.base + x.count)) as stored
            from segment x
            where x.partition_id = partition_row.id
        ) s
        cross join lateral (
            select greatest(q.partition_floor, s."end", (
                       select max(greatest(c.committed, c.lease_end, upper(c.acked))) from cursor c where c.partition_id = partition_row.id), (
                       select max(d.message_offset) + 1 from dead_letter d where d.partition_id = partition_row.id)) as head
        ) h
        cross join lateral (select coalesce(s.first, h.head) as tail) t
        where q.id = partition_row.queue_id;
        if not found then
            delete from partition_key k where k.id = partition_row.id;
        end if;
    end loop;
exception when lock_not_available then
    null;
end
$$;
