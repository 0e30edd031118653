create function :api.queue_totals(queue_ids uuid[])
returns table (queue_id uuid, partitions bigint, total bigint, pending bigint, processing bigint)
language plpgsql stable
as $$
-- Promise:  how much is in queues: lanes, messages kept, messages the slowest group of each lane has neither finished nor
--           leased, and messages leased at this moment.
-- Params:   the queues; null for all.
-- Returns:  one row per queue that has lanes.
-- Locks:    nothing.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    with lane as (
        select p.id, p.queue_id, p.head, p.tail
        from queen.partition p
        where queue_ids is null or p.queue_id = any (queue_ids)
    ), reading as (
        select l.id,
               max(l.head - greatest(c.committed, l.tail)) as unfinished,
               max(least(c.lease_end, l.head) - greatest(c.committed, l.tail)) filter (where c.lease_until > now()) as leased
        from lane l
        join queen.cursor c on l.id = c.partition_id
        group by l.id
    )
    select l.queue_id, count(*), sum(l.head - l.tail)::bigint,
           sum(greatest(coalesce(r.unfinished, l.head - l.tail) - coalesce(r.leased, 0), 0))::bigint,
           sum(greatest(coalesce(r.leased, 0), 0))::bigint
    from lane l
    left join reading r using (id)
    group by l.queue_id;
end
$$;
