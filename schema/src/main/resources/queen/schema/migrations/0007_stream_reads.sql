-- Reads of stream state: the lease under which state was read, how often such leases expired without progress, and the client of each read
-- without a lease.
--
-- read_lease_id:     the lease of the group of the query under which state was last read. The expiry of that lease charges no attempt.
-- idle_offset:       the committed offset of the cursor when such a lease last expired. The next two columns apply to this offset only.
-- idle_expiries:     the number of such leases that expired at idle_offset.
-- idle_since:        when the first of them expired.
-- offer_hosts:       a hash of the address of the client of each read in offers, in the same order; null if unknown.
-- offers_sent_at:    the last element of offers when offer_hosts was written. Another value means that an older release has written offers
--                    since, and the hosts are unknown.
alter table :shard.stream_partition
    add column read_lease_id        uuid,
    add column idle_offset          bigint,
    add column idle_expiries        int         not null default 0,
    add column idle_since           timestamptz,
    add column offer_hosts          bigint[]    not null default '{}',
    add column offers_sent_at       timestamptz;
