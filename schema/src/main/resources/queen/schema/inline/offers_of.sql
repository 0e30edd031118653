-- :offers_of(partition)
-- Promise:  returns the reads of the state of a partition without a lease, which flushes are compared with: the time, the latest window_end
--           and the host of each. Hosts are null if an older release wrote offers after they were stored.
-- Params:   the row of stream_partition.
-- Returns:  one row per read.
unnest(:partition.offers, :partition.offer_bounds,
       case when :partition.offers_sent_at = :partition.offers[cardinality(:partition.offers)] then :partition.offer_hosts end)
