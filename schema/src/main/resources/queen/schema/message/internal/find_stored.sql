create function :api.find_stored(partition_id uuid, transaction_id text, from_offset bigint default 0, since timestamptz default '-infinity')
returns bigint
language plpgsql stable
as $$
-- Promise:  returns the newest stored message of a partition with this transactionId, also if it expired or was removed. It is found
--           through the hashes of the segments; at most a million segments are searched, and no payloads are read.
-- Params:   the partition; the transactionId; from_offset, since: messages before that offset, or accepted at that time or earlier, are
--           left out.
-- Returns:  its offset; null if it is not found.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    wanted  bytea := int8send(hashtextextended(transaction_id, 0));
    place   record;
begin
    for place in
        select s.base + h.at as message_offset, :api.line_transaction_id(:api.line_head(s.body, h.at + 1)) as transaction_id
        from (
            select s.base, s.count, s.hashes, s.body, s.created_at, s.accepted_at
            from segment s
            where s.partition_id = find_stored.partition_id
              and s.base >= coalesce(
                  (select max(b.base) from segment b where b.partition_id = find_stored.partition_id and b.base <= from_offset), from_offset)
              and s.created_at > since
            order by s.base desc
            limit 1000000
        ) s
        cross join lateral generate_series(s.count - 1, 0, -1) as h (at)
        where position(wanted in s.hashes) > 0
          and substring(s.hashes from 8 * h.at + 1 for 8) = wanted
          and s.base + h.at >= from_offset
          and coalesce(s.accepted_at[h.at + 1], s.created_at) > since
    loop
        -- Hashes may collide, so the transactionId decides.
        if place.transaction_id = transaction_id then
            return place.message_offset;
        end if;
    end loop;
    return null;
end
$$;
