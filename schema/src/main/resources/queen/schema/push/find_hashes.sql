create function :api.find_hashes(partition_ids uuid[], first_offsets bigint[], created_after timestamptz[], hashes bytea[])
returns table (index int, message_offset bigint, hash bytea, accepted_at timestamptz)
language plpgsql stable
-- The hashes are constants of the plan, so that each stored hash is looked up in a hash table of them.
set plan_cache_mode = force_custom_plan
as $$
-- Promise:  returns the stored messages of each partition whose transactionId has one of the hashes. The work is bounded by the range of
--           offsets, which is read by the primary key; no body is read, and only matches are returned.
-- Params:   arrays of equal length; first_offsets: earlier messages are not searched; created_after: segments that are not younger are not
--           searched; hashes: the hashes to find in each partition, 8 bytes each, big endian.
-- Returns:  one row per match: the position of the partition in the arrays, the offset and hash of the message, and when it was accepted.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    wanted      bytea[];
    first_base  bigint;
begin
    for i in 1 .. cardinality(partition_ids) loop
        wanted := array(
            select distinct substring(hashes[i] from 8 * n + 1 for 8) from generate_series(0, octet_length(hashes[i]) / 8 - 1) n);
        first_base := coalesce(
            (select max(b.base) from segment b where b.partition_id = partition_ids[i] and b.base <= first_offsets[i]), first_offsets[i]);
        return query
        select i, s.base + m.place, m.hash, coalesce(s.accepted_at[m.place + 1], s.created_at)
        from (
            select s.base, s.count, s.hashes, s.created_at, s.accepted_at
            from segment s
            where s.partition_id = partition_ids[i]
              and s.base >= first_base
              and s.created_at > created_after[i]
        ) s
        cross join lateral (
            select n as place, substring(s.hashes from 8 * n + 1 for 8) as hash from generate_series(0, s.count - 1) n
        ) m
        where m.hash = any (wanted)
          and s.base + m.place >= first_offsets[i];
    end loop;
end
$$;
