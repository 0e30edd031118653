-- Offsets of a lane that an operator removed: they are never delivered to anybody any more. Null when there are none.
-- A removed run at the tail is not listed: the tail moves over it.
alter table queen.partition add column removed int8multirange;

-- What a dead letter is found by. A lane may be cleaned up before its dead letters, so they keep its name themselves.
alter table queen.dead_letter
    add column partition_name text,
    add column transaction_id text;
update queen.dead_letter d
set partition_name = (select p.name from queen.partition p where p.id = d.partition_id),
    transaction_id = ('"' || substring(convert_from(d.line, 'UTF8')
        from '^\{"id":"[^"]*","transactionId":"((?:[^"\\]|\\.)*)"') || '"')::json #>> '{}';
create index dead_letter_partition_id_transaction_id_idx on queen.dead_letter (partition_id, transaction_id);
create index dead_letter_failed_at_idx on queen.dead_letter (failed_at);

-- Dead letters on their way back into lanes, a few at a time, oldest failure first.
-- The filter (null: any), where they go (null: whence they came), how many and how fast at most.
-- after_*:  the dead letter tried last; each is tried once.
-- next_at:  when the next few may go.
create table queen.redrive (
    id                      uuid        primary key,
    actor                   text,
    status                  text        not null default 'running',
    queue_id                uuid,
    queue_name              text,
    partition_name          text,
    group_name              text,
    error                   text,
    from_at                 timestamptz,
    to_at                   timestamptz,
    transaction_ids         text[],
    target_queue            text,
    target_partition        text,
    most                    bigint,
    rate_per_second         bigint,
    total                   bigint      not null,
    redriven                bigint      not null default 0,
    refused                 bigint      not null default 0,
    last_error              text,
    after_failed_at         timestamptz not null default '-infinity',
    after_partition_id      uuid        not null default '00000000-0000-0000-0000-000000000000',
    after_group_name        text        not null default '',
    after_message_offset    bigint      not null default -1,
    next_at                 timestamptz not null default clock_timestamp(),
    created_at              timestamptz not null default clock_timestamp(),
    finished_at             timestamptz,
    constraint redrive_status_is_known check (status in ('running', 'finished', 'cancelled'))
);
create index redrive_next_at_idx on queen.redrive (next_at) where status = 'running';
create index redrive_created_at_idx on queen.redrive (created_at);

-- What consumers noted down about a message while they worked on it.
create table queen.trace (
    id              uuid        primary key,
    partition_id    uuid        not null,
    message_offset  bigint      not null,
    transaction_id  text        not null,
    group_name      text        not null,
    event_type      text        not null,
    worker_id       text,
    data            json        not null,
    names           text[]      not null,
    created_at      timestamptz not null default clock_timestamp()
);
create index trace_partition_id_message_offset_idx on queen.trace (partition_id, message_offset);

-- The same traces by the names they were filed under.
create table queen.trace_mark (
    name            text        not null,
    created_at      timestamptz not null,
    trace_id        uuid        not null,
    partition_id    uuid        not null,
    message_offset  bigint      not null,
    primary key (name, created_at, trace_id)
);
create index trace_mark_partition_id_message_offset_idx on queen.trace_mark (partition_id, message_offset, name);

-- The names, counted as they are used, because there may be one for every order and nobody could count them on demand.
create table queen.trace_name (
    name            text        primary key,
    trace_count     bigint      not null,
    message_count   bigint      not null,
    last_seen       timestamptz not null
);
create index trace_name_last_seen_idx on queen.trace_name (last_seen);
