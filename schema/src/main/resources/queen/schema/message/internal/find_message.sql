create function :api.find_message(partition_id uuid, transaction_id text)
returns table (message_offset bigint, created_at timestamptz, base bigint)
language plpgsql stable
as $$
-- Promise:  returns the newest stored message of a partition with this transactionId. It is found through the hashes of the segments, and
--           the transactionId itself is compared. Reads no payloads.
-- Params:   the partition; the transactionId.
-- Returns:  one row, with the base of the segment of the message; none if there is no such message or it was removed.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    wanted          bytea := int8send(hashtextextended(find_message.transaction_id, 0));
    partition_row   record;
    s               record;
begin
    select p.* into partition_row from partition p where p.id = find_message.partition_id;
    for s in
        select s.base, s.count, s.created_at, s.hashes
        from segment s
        where s.partition_id = partition_row.id
          and s.base + s.count > partition_row.tail
          and position(wanted in s.hashes) > 0
        order by s.base desc
    loop
        return query
        select s.base + i, s.created_at, s.base
        from generate_series(s.count - 1, 0, -1) i
        cross join lateral (
            select :api.line_transaction_id(:api.line_head(b.body, i + 1)) as transaction_id
            from segment b
            where b.partition_id = partition_row.id and b.base = s.base
            offset 0
        ) l
        where substring(s.hashes from i * 8 + 1 for 8) = wanted
          and s.base + i >= partition_row.tail
          and not coalesce(partition_row.removed @> s.base + i, false)
          and l.transaction_id = find_message.transaction_id
        limit 1;
        if found then
            return;
        end if;
    end loop;
end
$$;
