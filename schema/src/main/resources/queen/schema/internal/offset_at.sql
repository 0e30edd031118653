create function :api.offset_at(partition_id uuid, at timestamptz)
returns bigint
language plpgsql stable
as $$
-- Promise:  the first kept message of a lane that is not older than a moment. Time never goes back within a lane, so halving
--           finds it: a few searches by key, however long the lane is.
-- Params:   the lane; the moment.
-- Returns:  the offset, the head when every message is older; null when there is no such lane.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    -- Every message before low is older than the moment, and none from high on is.
    low     bigint;
    high    bigint;
    middle  record;
begin
    select p.tail, p.head into low, high from queen.partition p where p.id = offset_at.partition_id;
    while low < high loop
        select s.base, s.count, s.created_at
        into middle
        from queen.segment s
        where s.partition_id = offset_at.partition_id
          and s.base <= (low + high) / 2
        order by s.base desc
        limit 1;
        if not found then
            low := (low + high) / 2 + 1;
        elsif middle.created_at >= at then
            high := greatest(low, middle.base);
        else
            low := greatest(low + 1, middle.base + middle.count);
        end if;
    end loop;
    return high;
end
$$;
