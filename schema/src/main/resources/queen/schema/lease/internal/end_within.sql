create function :api.end_within(partition_id uuid, first bigint, "end" bigint, bytes_max bigint)
returns bigint
language plpgsql stable
as $$
-- Promise:  returns how many of the messages first to end - 1 of a partition fit bytes_max, at least one. A message counts with the average
--           size of its segment, because no body is read. No more segments are read than fit.
-- Params:   the partition; the range; bytes_max.
-- Returns:  the end of the messages that fit.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    segment record;
    filled  bigint := 0;
    fitting bigint;
begin
    for segment in
        select (octet_length(s.body) + s.count - 1) / s.count::bigint as mean, greatest(s.base, end_within.first) as start,
               least(s.base + s.count, end_within."end") - greatest(s.base, end_within.first) as count
        from segment s
        where s.partition_id = end_within.partition_id
          and s.base < end_within."end"
          and s.base >= coalesce((
              select max(b.base) from segment b
              where b.partition_id = end_within.partition_id and b.base <= end_within.first), end_within.first)
          and s.base + s.count > end_within.first
        order by s.base
    loop
        fitting := (bytes_max - filled) / segment.mean;
        if fitting < segment.count then
            return greatest(segment.start + fitting, first + 1);
        end if;
        filled := filled + segment.count * segment.mean;
    end loop;
    return "end";
end
$$;
