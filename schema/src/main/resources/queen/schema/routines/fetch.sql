create function :api.fetch(partition_ids uuid[], firsts bigint[], ends bigint[])
returns table (index int, base bigint, count int, created_at timestamptz, hashes bytea, body bytea)
language plpgsql stable
as $$
-- Promise:  every stored segment that holds an offset of each range.
-- Params:   arrays of equal length; a range is first to end - 1.
-- Returns:  one row per segment, ascending within a range; a segment may reach over the edges of its range.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select i.index::int, s.base, s.count, s.created_at, s.hashes, s.body
    from unnest(partition_ids, firsts, ends) with ordinality as i (partition_id, first, "end", index)
    cross join lateral (
        select s.base, s.count, s.created_at, s.hashes, s.body
        from queen.segment s
        where s.partition_id = i.partition_id
          and s.base < i."end"
          and s.base >= coalesce(
              (select max(b.base) from queen.segment b where b.partition_id = i.partition_id and b.base <= i.first), i.first)
          and s.base + s.count > i.first
        order by s.base
    ) s
    where i.first < i."end";
end
$$;
