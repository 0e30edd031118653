create function :api.due_until(partition_id uuid, first bigint, "end" bigint, delay_s int, at timestamptz)
returns table (due_end bigint, due_at timestamptz)
language plpgsql stable
as $$
-- Promise:  returns the end of the due messages of a partition with delayed delivery. A message dated more than a minute in the future was
--           stored while the clock of PostgreSQL was ahead; its age is unknown, and it counts as due.
-- Params:   the partition and a range of it; delay_s: the delay in seconds; at: the present time.
-- Returns:  one row. due_end: the end of the due messages, null if none is due; due_at: when the first message of the range is due.
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
