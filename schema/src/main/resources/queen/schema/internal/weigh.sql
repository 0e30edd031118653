create function :api.weigh(partition_id uuid, first bigint, "end" bigint, room bigint)
returns bigint[]
language plpgsql stable
as $$
-- Promise:  how many of the messages first to end - 1 of a lane have room, at least one. A message counts as much as the segment's
--           messages do on average, because no body is read for this; no more segments are looked at than have room.
-- Params:   the lane; the range; the room in bytes.
-- Returns:  where the messages that have room end, and how many bytes they are.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    segment record;
    filled  bigint := 0;
    fitting bigint;
begin
    for segment in
        select s.mean, greatest(s.base, weigh.first) as start, least(s.base + s.count, weigh."end") - greatest(s.base, weigh.first) as count
        from (
            select s.base, s.count, (octet_length(s.body) + s.count - 1) / s.count::bigint as mean
            from queen.segment s
            where s.partition_id = weigh.partition_id
              and s.base < weigh."end"
              and s.base >= coalesce(
                  (select max(b.base) from queen.segment b where b.partition_id = weigh.partition_id and b.base <= weigh.first), weigh.first)
              and s.base + s.count > weigh.first
            order by s.base
        ) s
    loop
        fitting := (room - filled) / segment.mean;
        if fitting < segment.count then
            fitting := greatest(fitting, case when filled = 0 then 1 else 0 end);
            return array[segment.start + fitting, filled + fitting * segment.mean];
        end if;
        filled := filled + segment.count * segment.mean;
    end loop;
    return array["end", filled];
end
$$;
