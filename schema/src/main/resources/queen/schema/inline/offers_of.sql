-- :offers_of(partition)
-- Promise:  the reads of a partition's state without a lease that flushes are compared with: when, up to which window_end, and from
--           which host. Hosts are null if an older release wrote offers after they were stored.
-- Params:   the row of stream_partition.
-- Returns:  one row per read.
unnest(:partition.offers, :partition.offer_bounds,
       case when :partition.offers_sent_at = :partition.offers[cardinality(:partition.offers)] then :partition.offer_hosts end)
