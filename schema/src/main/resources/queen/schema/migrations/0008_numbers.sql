-- The servers that run or ran lately. report: the number of the last report taken from it, so that none is taken twice.
create table queen.server (
    id          uuid        primary key,
    hostname    text        not null,
    port        int         not null,
    worker_id   text        not null,
    pid         bigint      not null,
    started_at  timestamptz not null,
    seen_at     timestamptz not null,
    report      bigint      not null
);

-- What happened to a queue on one server, in buckets of a minute and of an hour (minutes: how wide the bucket is).
-- Reports of servers are added up here; a bucket changes while its time lasts and never afterwards, unless a report was late.
-- lag_*:  how old messages were when they were popped.
-- parked: the most pops that a report saw waiting.
create table queen.queue_bucket (
    queue_id        uuid        not null,
    minutes         int         not null,
    at              timestamptz not null,
    server_id       uuid        not null,
    push_requests   bigint      not null,
    push_messages   bigint      not null,
    pop_requests    bigint      not null,
    pop_messages    bigint      not null,
    pop_empty       bigint      not null,
    ack_requests    bigint      not null,
    ack_success     bigint      not null,
    ack_failed      bigint      not null,
    transactions    bigint      not null,
    dead_letters    bigint      not null,
    lanes_created   bigint      not null,
    lag_sum_ms      bigint      not null,
    lag_max_ms      bigint      not null,
    parked          bigint      not null,
    primary key (queue_id, minutes, at, server_id)
) with (fillfactor = 80);
create index queue_bucket_minutes_at_idx on queen.queue_bucket (minutes, at);

-- The same for one server, over all queues, and what it took. A request about several queues counts once here.
create table queen.server_bucket (
    server_id       uuid        not null,
    minutes         int         not null,
    at              timestamptz not null,
    push_requests   bigint      not null,
    push_messages   bigint      not null,
    pop_requests    bigint      not null,
    pop_messages    bigint      not null,
    pop_empty       bigint      not null,
    ack_requests    bigint      not null,
    ack_success     bigint      not null,
    ack_failed      bigint      not null,
    transactions    bigint      not null,
    dead_letters    bigint      not null,
    lanes_created   bigint      not null,
    lag_sum_ms      bigint      not null,
    lag_max_ms      bigint      not null,
    calls           bigint      not null,
    db_errors       bigint      not null,
    primary key (server_id, minutes, at)
) with (fillfactor = 80);
create index server_bucket_minutes_at_idx on queen.server_bucket (minutes, at);

-- What was measured on a server now and then: memory, connections, how late the engine's loop was.
create table queen.server_gauge (
    server_id   uuid                not null,
    minutes     int                 not null,
    at          timestamptz         not null,
    name        text                not null,
    samples     bigint              not null,
    sum         double precision    not null,
    min         double precision    not null,
    max         double precision    not null,
    last        double precision    not null,
    primary key (server_id, minutes, at, name)
) with (fillfactor = 80);
create index server_gauge_minutes_at_idx on queen.server_gauge (minutes, at);

-- What has happened to a queue since it was created.
create table queen.queue_lifetime (
    queue_id        uuid    primary key,
    push_requests   bigint  not null,
    push_messages   bigint  not null,
    pop_messages    bigint  not null,
    ack_success     bigint  not null,
    ack_failed      bigint  not null,
    dead_letters    bigint  not null
) with (fillfactor = 50);

-- What has ever happened, over all servers and queues, also those that are gone: one row.
create table queen.lifetime (
    push_requests   bigint  not null default 0,
    push_messages   bigint  not null default 0,
    pop_requests    bigint  not null default 0,
    pop_messages    bigint  not null default 0,
    ack_requests    bigint  not null default 0,
    ack_success     bigint  not null default 0,
    ack_failed      bigint  not null default 0,
    transactions    bigint  not null default 0,
    dead_letters    bigint  not null default 0,
    db_errors       bigint  not null default 0
);
insert into queen.lifetime default values;
