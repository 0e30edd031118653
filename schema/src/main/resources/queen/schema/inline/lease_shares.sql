-- :lease_shares(candidates)
-- Promise:  computes the share of each lease id: at most batch messages, partition_limit partitions and about byte_limit bytes, but at
--           least one message.
-- Params:   candidates: the name of a query with one row per partition: index (the order of the request), lease_id, first, due_end,
--           largest_line, is_shared (the partition has messages to deliver together with others under its lease id), batch,
--           partition_limit, byte_limit.
-- Returns:  its rows with bytes (the size of the messages, or more), given_end, and is_in_share: the lease id gets first to given_end - 1.
(select in_b.*, least(in_b.due_end, in_b.first + in_b.batch - in_b.spent) as given_end,
        in_b.is_shared and in_b.spent < in_b.batch and in_b.claimed < in_b.partition_limit
        and (in_b.spent_bytes = 0 or in_b.spent_bytes + in_b.bytes <= in_b.byte_limit) is not false as is_in_share
 from (
     select in_w.*,
            coalesce(sum(in_w.due_end - in_w.first) filter (where in_w.is_shared) over in_earlier, 0)::bigint as spent,
            coalesce(sum(in_w.bytes) filter (where in_w.is_shared) over in_earlier, 0)::bigint as spent_bytes,
            count(*) filter (where in_w.is_shared) over in_earlier as claimed
     from (
         select in_s.*, least(in_s.byte_limit, (in_s.due_end - in_s.first) * in_s.largest_line) as bytes from :candidates in_s
     ) in_w
     window in_earlier as (partition by in_w.lease_id order by in_w.index rows between unbounded preceding and 1 preceding)
 ) in_b)
