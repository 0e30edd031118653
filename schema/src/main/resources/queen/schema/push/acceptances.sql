create function :api.acceptances(partition_ids uuid[], message_offsets bigint[])
returns table (index int, accepted_at timestamptz, now_is timestamptz)
language plpgsql volatile
as $$
-- Promise:  returns when stored messages were accepted, and the present time of their partitions: a message that is stored there after this
--           call is not accepted before now_is, unless the clock of PostgreSQL was more than a minute ahead (pushed_at).
-- Params:   arrays of equal length: the partition and the offset of each message.
-- Returns:  one row per message that is stored.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select i.index::int, coalesce(s.accepted_at[i.message_offset - s.base + 1], s.created_at), :api.pushed_at(clock_timestamp(), p.last_push_at)
    from unnest(partition_ids, message_offsets) with ordinality as i (partition_id, message_offset, index)
    cross join lateral (
        select s.base, s.count, s.created_at, s.accepted_at
        from segment s
        where s.partition_id = i.partition_id
          and s.base <= i.message_offset
        order by s.base desc
        limit 1
    ) s
    cross join lateral :newest_partition(i.partition_id) p
    where i.message_offset < s.base + s.count;
end
$$;
