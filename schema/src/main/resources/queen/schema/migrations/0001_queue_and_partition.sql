-- A queue and its options. Durations are whole seconds or milliseconds, as the unit suffix says.
create table queen.queue (
    id                      uuid        primary key,
    name                    text        not null,
    namespace               text        not null,
    task                    text        not null,
    lease_time_s            int         not null default 300,
    retry_limit             int         not null default 3,
    retry_delay_ms          int         not null default 1000,
    delayed_processing_s    int         not null default 0,
    window_buffer_s         int         not null default 0,
    priority                int         not null default 0,
    max_size                bigint      not null default 0,
    ttl_s                   int         not null default 3600,
    max_wait_time_s         int         not null default 0,
    retention_enabled       boolean     not null default false,
    retention_s             int         not null default 0,
    completed_retention_s   int         not null default 0,
    encryption_enabled      boolean     not null default false,
    dead_letter_queue       boolean     not null default false,
    dlq_after_max_retries   boolean     not null default false,
    created_at              timestamptz not null default clock_timestamp(),
    constraint queue_name_is_unique unique (name)
);

-- One row, whose version grows with every change of a queue, in the transaction that makes it:
-- servers read this number once a second and reload their queues only when it moved.
create table queen.catalog (
    version bigint not null
);
insert into queen.catalog (version) values (1);

-- A lane. The id is the name-based UUID (version 3) of the queue's id and the lane's name, so any server can compute it.
-- head, last_push_at and tail are on no index, so that a push is a heap-only update; half of each page is left free for that.
create table queen.partition (
    id              uuid        primary key,
    queue_id        uuid        not null references queen.queue (id),
    name            text        not null,
    head            bigint      not null default 0,
    tail            bigint      not null default 0,
    last_push_at    timestamptz,
    active_at       timestamptz not null default clock_timestamp(),
    created_at      timestamptz not null default clock_timestamp(),
    constraint partition_tail_not_past_head check (tail <= head)
) with (fillfactor = 50);
create index partition_queue_id_name_idx on queen.partition (queue_id, name);

-- active_at follows last_push_at in steps of ten seconds: "which lanes were pushed lately" has an index to answer it,
-- and yet a busy lane leaves the heap-only path only that often.
create index partition_queue_id_active_at_idx on queen.partition (queue_id, active_at);
