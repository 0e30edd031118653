create function :api.load_leases(partition_ids uuid[], group_names text[], look_back int)
returns table (
    index int, queue_name text, partition_name text, lease_id uuid, until_at timestamptz,
    committed bigint, lease_end bigint, acked text, first bigint, hashes bytea)
language plpgsql stable
as $$
-- Promise:  returns the leases of groups, for a server that did not acquire them, with the messages that they cover and those finished just
--           before.
-- Params:   arrays of equal length, one element per (partition, group); look_back: the number of finished messages to include.
-- Returns:  one row per existing partition: its names, the lease of the group (live or expired; null if none), the offsets finished ahead
--           of committed, and the transactionId hashes of the messages from first to the end of the lease or the last finished message,
--           whichever is later.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select i.index::int, q.name, p.name, c.lease_id, c.lease_until, c.committed, c.lease_end,
           c.acked::text, s.first, s.hashes
    from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
    cross join lateral :newest_partition(i.partition_id) p
    join queue q on q.id = any (array[p.queue_id])
    left join lateral :newest_cursor(i.partition_id, i.group_name) c on true
    left join lateral (
        select min(s.base) as first, string_agg(s.hashes, '' order by s.base) as hashes
        from segment s
        where s.partition_id = i.partition_id
          and s.base < greatest(c.lease_end, c.committed, upper(c.acked))
          and s.base >= coalesce((
              select max(b.base) from segment b
              where b.partition_id = i.partition_id and b.base <= c.committed - look_back), 0)
    ) s on true;
end
$$;
