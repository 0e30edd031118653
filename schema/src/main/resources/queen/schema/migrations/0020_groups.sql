-- Who consumes on a server at this moment, as it says itself every second: one row per server, arrays of equal length.
-- seen_at:       when it last said so; what it says is worth nothing some seconds later, but for leases, which outlive a server.
-- waiting:       pops that wait for a message. leases: leases it gave that are not over. Both 0: somebody popped a moment ago.
-- leased_until:  when the last of those leases runs out; null when there is none.
create table queen.presence (
    server_id       uuid            primary key,
    seen_at         timestamptz     not null,
    queue_names     text[]          not null,
    group_names     text[]          not null,
    waiting         int[]           not null,
    leases          int[]           not null,
    leased_until    timestamptz[]   not null
) with (fillfactor = 50);

-- How long the oldest unread message of a queue had been due, the longest in each minute and in each hour (minutes: how wide the
-- bucket is). No row where nothing was, and none for what is paused.
create table queen.lag_bucket (
    queue_id    uuid        not null,
    minutes     int         not null,
    at          timestamptz not null,
    oldest_s    bigint      not null,
    primary key (queue_id, minutes, at)
) with (fillfactor = 80);
create index lag_bucket_minutes_at_idx on queen.lag_bucket (minutes, at);
