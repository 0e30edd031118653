create function :api.offset_at(partition_id uuid, at timestamptz)
returns bigint
language plpgsql stable
as $$
-- Promise:  the offset of the first kept message that is not older than a moment, by halving: time never goes back within a
--           lane, so some twenty segments tell.
-- Params:   the lane; the moment.
-- Returns:  the offset; the head where every message is older; null where there is no such lane.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    low     bigint;
    high    bigint;
    s       record;
begin
    select p.tail, p.head into low, high from partition p where p.id = offset_at.partition_id;
    while low < high loop
        select s.base, s.base + s.count as "end", s.created_at
        into s
        from segment s
        where s.partition_id = offset_at.partition_id and s.base <= (low + high) / 2
        order by s.base desc
        limit 1;
        if s.created_at >= at then
            high := greatest(s.base, low);
            exit when s.base <= low;
        else
            low := coalesce(s."end", (low + high) / 2 + 1);
        end if;
    end loop;
    return high;
end
$$;
