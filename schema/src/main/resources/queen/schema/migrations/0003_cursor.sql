-- How far a group has come in a lane, and who holds the lane for it.
-- committed:  first offset the group has not finished.
-- lease_*:    the holder, until when, and the end of the range it was given; all null when nobody holds it.
-- acked:      offsets finished ahead of committed; null when none.
-- is_failing: there are rows in queen.failure for unfinished messages.
-- retry_at:   nothing is handed out before this moment; null when the lane may go on.
-- Nothing that moves is on an index, so leases and acks are heap-only updates.
create table queen.cursor (
    partition_id    uuid            not null,
    group_name      text            not null,
    committed       bigint          not null,
    lease_id        uuid,
    lease_until     timestamptz,
    lease_end       bigint,
    acked           int8multirange,
    is_failing      boolean         not null default false,
    retry_at        timestamptz,
    completed_count bigint          not null default 0,
    dead_count      bigint          not null default 0,
    last_ack_at     timestamptz,
    created_at      timestamptz     not null default clock_timestamp(),
    primary key (partition_id, group_name)
) with (fillfactor = 50);

-- Which lanes one lease covers, kept only where it covers several, so that a lease can be renewed by its id alone on any server.
create table queen.lease_lanes (
    lease_id        uuid        primary key,
    partition_ids   uuid[]      not null,
    created_at      timestamptz not null default clock_timestamp()
);

-- Failed deliveries of a message that is not finished yet.
create table queen.failure (
    partition_id    uuid        not null,
    group_name      text        not null,
    message_offset  bigint      not null,
    attempts        int         not null,
    error           text,
    retry_at        timestamptz,
    failed_at       timestamptz not null,
    primary key (partition_id, group_name, message_offset)
);

-- A message a group gave up on: its own copy, which outlives the log.
create table queen.dead_letter (
    partition_id    uuid        not null,
    group_name      text        not null,
    message_offset  bigint      not null,
    queue_id        uuid        not null,
    line            bytea       not null,
    error           text,
    attempts        int         not null,
    created_at      timestamptz not null,
    failed_at       timestamptz not null,
    primary key (partition_id, group_name, message_offset)
);
create index dead_letter_queue_id_failed_at_idx on queen.dead_letter (queue_id, failed_at);

-- From where a group reads lanes it has no cursor in yet: of one queue, or of all queues of a namespace and task ('' = any).
-- Recorded at the group's first pop, whether or not the queue exists by then.
-- mode all:       from the beginning.
-- mode new:       cursors were placed at the head of every lane there was; lanes created later are read from their beginning.
-- mode timestamp: from the first message at or after from_at.
create table queen.subscription (
    group_name      text        not null,
    queue_name      text        not null,
    namespace       text        not null,
    task            text        not null,
    mode            text        not null,
    from_at         timestamptz,
    subscribed_at   timestamptz not null default clock_timestamp(),
    primary key (group_name, queue_name, namespace, task),
    constraint subscription_mode_is_known check (mode in ('all', 'new', 'timestamp'))
);
