create function :api.retention_due(partition_id uuid, ages int[], at timestamptz)
returns timestamptz
language plpgsql stable
as $$
-- Promise:  returns when retention may find something to delete in the partition.
-- Params:   the partition; ages: as in upkeep_policy; at: the time of the last check.
-- Returns:  the time, in the past if more is to be deleted now; null if nothing is stored.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    oldest      record;
    kept_until  timestamptz;
    done_until  timestamptz;
begin
    select s.base + s.count as "end", s.created_at, c.leased_from, c.leased_until
    into oldest
    from partition p
    cross join lateral (
        select s.base, s.count, s.created_at from segment s
        where s.partition_id = p.id and s.base >= :first_segment(p.id, least(p.tail, lower(p.removed)))
        order by s.base limit 1
    ) s
    cross join lateral (
        select min(c.committed) as leased_from, min(c.lease_until) as leased_until
        from cursor c
        where c.partition_id = p.id
          and c.lease_until > at
    ) c
    where p.id = retention_due.partition_id
      and ages is not null;
    if not found then
        return null;
    end if;
    kept_until := oldest.created_at + make_interval(secs => ages[1]);
    if kept_until <= at and oldest."end" > oldest.leased_from then
        kept_until := oldest.leased_until;
    end if;
    done_until := oldest.created_at + make_interval(secs => ages[2]);
    if done_until <= at and coalesce(oldest."end" > :lowest_position(retention_due.partition_id), true) then
        done_until := at + greatest(interval '1 minute', least(interval '1 hour', at - done_until));
    end if;
    return least(kept_until, done_until);
end
$$;
