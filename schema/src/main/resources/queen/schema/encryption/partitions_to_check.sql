create function :api.partitions_to_check(of_queue uuid, since timestamptz, after_at timestamptz, after_id uuid, page int)
returns table (partition_id uuid, active_at timestamptz, first bigint, head bigint)
language plpgsql stable
as $$
-- Promise:  returns a page of the partitions of a queue with pushes since a time, with the offsets whose keys are not recorded yet.
-- Params:   the queue; since; the last partition of the previous page; the page size.
-- Returns:  one row per partition, in the order of active_at and id. If first is not below head, no offset has to be read.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    found_partitions record;
begin
    select array_agg(p.id) as ids, array_agg(p.active_at) as active_ats, array_agg(p.tail) as tails, array_agg(p.head) as heads
    into found_partitions
    from (
        select p.id, p.active_at, p.tail, p.head
        from partition p
        where p.queue_id = of_queue
          and p.active_at >= since
          and (p.active_at, p.id) > (after_at, after_id)
        order by p.active_at, p.id
        limit page
    ) p;
    return query
    select p.id, p.active_at,
           greatest(p.tail, (select max(r.end_offset) from queen.key_run r where r.partition_id = p.id)), p.head
    from unnest(found_partitions.ids, found_partitions.active_ats, found_partitions.tails, found_partitions.heads) as p (id, active_at, tail, head);
end
$$;
