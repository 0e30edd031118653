create function :api.find_message(partition_id uuid, transaction_id text)
returns table (message_offset bigint, created_at timestamptz, line text)
language plpgsql stable
as $$
-- Promise:  the newest kept message of a lane with this transactionId, found through the hashes of its segments; the
--           transactionId itself decides.
-- Params:   the lane; the transactionId.
-- Returns:  one row, or none where there is no such message or it was removed.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    wanted  bytea := int8send(hashtextextended(find_message.transaction_id, 0));
    lane    record;
    s       record;
begin
    select p.* into lane from partition p where p.id = find_message.partition_id;
    for s in
        select s.base, s.count, s.created_at, s.hashes
        from segment s
        where s.partition_id = lane.id
          and s.base + s.count > lane.tail
          and position(wanted in s.hashes) > 0
        order by s.base desc
    loop
        return query
        select s.base + i, s.created_at, l.line
        from generate_series(s.count - 1, 0, -1) i
        cross join lateral (
            select split_part(convert_from(b.body, 'UTF8'), e'\n', i + 1) as line
            from segment b
            where b.partition_id = lane.id and b.base = s.base
            offset 0
        ) l
        cross join lateral :api.line_fields(l.line) f
        where substring(s.hashes from i * 8 + 1 for 8) = wanted
          and s.base + i >= lane.tail
          and not coalesce(lane.removed @> s.base + i, false)
          and f.transaction_id = find_message.transaction_id
        limit 1;
        if found then
            return;
        end if;
    end loop;
end
$$;
