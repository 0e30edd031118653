-- :offers_of(lane)
-- Promise:  the reads of a partition's state without a lease that flushes are compared with: when, up to which window_end, and from
--           which host. Hosts are null if an older release wrote offers after they were stored.
-- Params:   the row of stream_lane.
-- Returns:  one row per read.
unnest(:lane.offers, :lane.offer_bounds,
       case when :lane.offers_sent_at = :lane.offers[cardinality(:lane.offers)] then :lane.offer_hosts end)
