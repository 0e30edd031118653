-- :is_exempt(partition, lease, committed_offset, moment)
-- Promise:  returns whether the expiry of a lease charges no attempt, because a stream runner read state under the lease: it may keep a
--           gate closed. A runner that crashes after each read looks the same, so the exemption ends after 1,000 expiries and three days
--           without progress.
-- Params:   the partition; the lease; committed of the cursor; the present time.
-- Returns:  true or false. The rows are found by key: PostgreSQL may evaluate exists with a hash of the whole table.
coalesce((
    select true
    from stream_partition in_l
    where in_l.partition_id = :partition
      and in_l.read_lease_id = :lease
      and (in_l.idle_offset = :committed_offset and in_l.idle_expiries >= 1000
           and in_l.idle_since <= :moment - interval '3 days') is not true
    limit 1), false)
