create function :api.retention_due(partition_id uuid, ages int[], at timestamptz)
returns timestamptz
language plpgsql stable
as $$
-- Promise:  when retention may find something to remove in the lane.
-- Params:   the lane; the seconds as upkeep_policy says; the moment of the last look.
-- Returns:  the moment, which has come already when more is to be removed now; null when nothing is stored.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    safe bigint := :api.safe_point(retention_due.partition_id);
begin
    return (
        select least(
            case when s.created_at + make_interval(secs => ages[1]) > at or c.leased_until is null or s.base + s.count <= c.leased_from
                 then s.created_at + make_interval(secs => ages[1])
                 else c.leased_until end,
            case when s.created_at + make_interval(secs => ages[2]) > at or s.base + s.count <= safe
                 then s.created_at + make_interval(secs => ages[2])
                 else at + greatest(interval '1 minute',
                                    least(interval '1 hour', at - s.created_at - make_interval(secs => ages[2]))) end)
        from partition p
        cross join lateral (
            select s.base, s.count, s.created_at from segment s
            where s.partition_id = p.id and s.base >= coalesce(
                (select max(b.base) from segment b where b.partition_id = p.id and b.base <= least(p.tail, lower(p.removed))), least(p.tail, lower(p.removed)))
            order by s.base limit 1
        ) s
        cross join lateral (
            select min(c.committed) as leased_from, min(c.lease_until) as leased_until
            from cursor c
            where c.partition_id = p.id
              and c.lease_until > at
        ) c
        where p.id = retention_due.partition_id
          and ages is not null
    );
end
$$;
