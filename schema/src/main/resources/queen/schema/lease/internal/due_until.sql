create function :api.due_until(partition_id uuid, first bigint, "end" bigint, delay_s int, at timestamptz)
returns table (due_end bigint, due_at timestamptz)
language plpgsql stable
as $$
-- Promise:  how far a partition whose messages are held back for a while after their push may be read. A message that is dated more than a
--           minute in the future was stored while PostgreSQL's clock was ahead. Its age is unknown, and it counts as due.
-- Params:   the partition and a range of it; how many seconds; at: the present moment.
-- Returns:  one row. due_end: where the due messages end, null when none is; due_at: when the first one of the range is due.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select max(s.base + s.count) filter (where s.created_at <= at - make_interval(secs => delay_s) or s.created_at > at + interval '1 minute'),
           min(s.created_at) filter (where s.base + s.count > first) + make_interval(secs => delay_s)
    from segment s
    where s.partition_id = due_until.partition_id
      and s.base < "end"
      and s.base >= coalesce(
          (select max(b.base) from segment b where b.partition_id = due_until.partition_id and b.base <= first), first);
end
$$;
