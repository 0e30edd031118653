create function :api.fetch(partition_ids uuid[], firsts bigint[], ends bigint[], bytes_max bigint)
returns table (index int, base bigint, count int, created_at timestamptz, hashes bytea, body bytea)
language plpgsql stable
as $$
-- Promise:  returns the stored segments that contain offsets of each range, range after range, until bytes_max is reached; at least one.
-- Params:   arrays of equal length; a range is first to end - 1.
-- Returns:  one row per segment, ascending within a range; a segment may extend beyond its range. One row without a body for each truncated
--           range: base is the offset to continue from.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    with found as (
        -- A sum of lengths, which are known without reading the bodies.
        select i.index::int as index, i.first, s.base, s.count, s.created_at, s.hashes, s.body,
               sum(octet_length(s.body)) over (order by i.index, s.base rows unbounded preceding) - octet_length(s.body) as before
        from unnest(partition_ids, firsts, ends) with ordinality as i (partition_id, first, "end", index)
        cross join lateral (
            select s.base, s.count, s.created_at, s.hashes, s.body
            from segment s
            where s.partition_id = i.partition_id
              and s.base < i."end"
              and s.base >= coalesce(
                  (select max(b.base) from segment b where b.partition_id = i.partition_id and b.base <= i.first), i.first)
              and s.base + s.count > i.first
            order by s.base
        ) s
        where i.first < i."end"
    )
    select f.index, f.base, f.count, f.created_at, f.hashes, f.body
    from found f
    where f.before < bytes_max
    union all
    select f.index, greatest(f.first, min(f.base)), 0, null, null, null
    from found f
    where f.before >= bytes_max
    group by f.index, f.first;
end
$$;
