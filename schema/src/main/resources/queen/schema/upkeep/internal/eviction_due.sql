create function :api.eviction_due(partition_id uuid, age int, at timestamptz)
returns timestamptz
language plpgsql stable
as $$
-- Promise:  returns when a message of the partition may have waited too long for a group.
-- Params:   the partition; age: the maximum wait in seconds; at: the time of the last check.
-- Returns:  the time, in the past if more messages are to be evicted now; null if nothing is unread.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select min(greatest(s.created_at + make_interval(secs => age), case when g.lease_until > at then g.lease_until end))
        from partition p
        cross join lateral (
            select greatest(c.committed, p.tail) as first, c.lease_until from cursor c where c.partition_id = p.id
            union all
            select p.tail, null where not exists (select 1 from cursor c where c.partition_id = p.id)
        ) g
        cross join lateral (
            select s.created_at from segment s where s.partition_id = p.id and s.base <= g.first
            order by s.base desc limit 1
        ) s
        where p.id = eviction_due.partition_id
          and g.first < p.head);
end
$$;
