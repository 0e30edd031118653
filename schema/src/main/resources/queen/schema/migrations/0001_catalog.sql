-- The catalog: tables that exist once per database, in the schema queen: queues, subscriptions, the audit log, reports of servers, and the
-- functions that programs call inside their own transactions. Tables of partitions are in the shards.

-- The shards of this database: schemas queen_00, queen_01, … with the same tables. The installer writes the rows. A partition is in the
-- shard whose number is the first byte of its id modulo the number of shards. Shards are never added later.
create table queen.shard (
    number  int     primary key,
    name    text    not null unique
);

-- A queue and its options. Durations are whole seconds or milliseconds, according to the suffix of the name.
-- retry_backoff:   factor of the retry delay for each further failure.
-- dedup_window_s:  how long transactionIds are remembered; null: the setting of the server.
-- is_paused:       no group can pop from the queue.
-- revision:        incremented with every change by an operator of partitions, cursors or messages of the queue: servers that see another
--                  revision drop their state of its partitions.
-- partition_floor: the first offset of new partitions. It is not below the head of any deleted partition of the queue, so that no offset of
--                  a partition is reused after the partition is deleted and created again.
create table queen.queue (
    id                      uuid                primary key,
    name                    text                not null,
    namespace               text                not null,
    task                    text                not null,
    priority                int                 not null default 0,
    lease_time_s            int                 not null default 300,
    retry_limit             int                 not null default 3,
    retry_delay_ms          int                 not null default 1000,
    retry_backoff           double precision    not null default 1,
    delayed_processing_s    int                 not null default 0,
    window_buffer_s         int                 not null default 0,
    dedup_window_s          int,
    max_size                bigint              not null default 0,
    ttl_s                   int                 not null default 3600,
    max_wait_time_s         int                 not null default 0,
    retention_enabled       boolean             not null default false,
    retention_s             int                 not null default 0,
    completed_retention_s   int                 not null default 0,
    encryption_enabled      boolean             not null default false,
    dead_letter_queue       boolean             not null default false,
    dlq_after_max_retries   boolean             not null default false,
    is_paused               boolean             not null default false,
    revision                bigint              not null default 0,
    partition_floor              bigint              not null default 0,
    created_at              timestamptz         not null default clock_timestamp(),
    constraint queue_name_is_unique unique (name)
);

-- The size of a queue with a maxSize. Pushes to such a queue are serialized by this row.
-- size:            no less than the number of unfinished messages; null if unknown.
-- revision:        the revision of the queue for which size is valid.
-- recount_at:      the messages are not counted again before this time, because the last count took long.
-- uncertain_until: until this time, servers that have not loaded the limit yet may push without increasing size.
create table queen.queue_size (
    queue_id        uuid        primary key references queen.queue (id) on delete cascade,
    size            bigint,
    revision        bigint      not null default 0,
    recount_at      timestamptz not null default '-infinity',
    uncertain_until timestamptz not null default '-infinity'
) with (fillfactor = 50);

-- The start position of a group in partitions where it has no cursor: for one queue, or for all queues of a namespace and task ('' = any).
-- Recorded at the first pop of the group, also if the queue does not exist yet.
-- mode all:       from the first stored message.
-- mode new:       cursors were placed at the head of every existing partition; later partitions are read from their first message.
-- mode timestamp: from the first message at or after from_at.
-- is_preset:      an operator set the start position, and the group has not popped yet.
create table queen.subscription (
    group_name      text        not null,
    queue_name      text        not null,
    namespace       text        not null,
    task            text        not null,
    mode            text        not null,
    from_at         timestamptz,
    is_preset       boolean     not null default false,
    subscribed_at   timestamptz not null default clock_timestamp(),
    primary key (group_name, queue_name, namespace, task),
    constraint subscription_mode_is_known check (mode in ('all', 'new', 'timestamp'))
);

-- Groups that cannot pop from a queue; loaded by servers together with the queues.
create table queen.group_pause (
    queue_id    uuid        not null references queen.queue (id) on delete cascade,
    group_name  text        not null,
    paused_at   timestamptz not null default clock_timestamp(),
    primary key (queue_id, group_name)
);

-- One row, which servers read once a second.
-- version:              incremented with every change of a queue, in its transaction: servers reload their queues only if it has changed.
-- subscription_version: incremented when an operator changes subscriptions; servers then drop their cached ones.
-- partitions_since:     queen.revised_partition has every partition revised after this version; a server with an older version drops its
--                       state of all partitions.
create table queen.catalog (
    version                 bigint  not null,
    subscription_version    bigint  not null default 0,
    partitions_since        bigint  not null default 0
);
insert into queen.catalog (version) values (1);

-- Partitions that an operator changed, with the version of the catalog: servers reload these partitions. Rows are kept for ten minutes.
create table queen.revised_partition (
    version         bigint      primary key,
    partition_id    uuid        not null,
    revised_at      timestamptz not null default clock_timestamp()
);

-- One row: state of all servers.
-- *_maintenance:    pushes, or pops, are switched off on all servers.
-- encryption_epoch: incremented when the encryption of a queue is switched on. push compares it with the epoch of the caller, so that a
--                   server with an older catalog stores no clear text.
-- Every push reads it, so it is not in queen.catalog, which changes with every change of a queue.
create table queen.system_state (
    is_the_only_row     boolean     primary key default true,
    push_maintenance    boolean     not null default false,
    pop_maintenance     boolean     not null default false,
    encryption_epoch    bigint      not null default 0,
    constraint system_state_has_one_row check (is_the_only_row)
);
insert into queen.system_state default values;

-- The audit log: changes by operators, with the state before and after.
create table queen.audit (
    id      bigint      generated always as identity primary key,
    at      timestamptz not null default clock_timestamp(),
    actor   text        not null,
    action  text        not null,
    target  text        not null,
    before  jsonb,
    after   jsonb
);

-- Redrives: dead letters that are moved back into partitions, a few at a time: shard by shard, and in each shard the oldest failure first.
-- Filter columns: null means any. target_*: null for the original queue and partition.
-- letters_max: the maximum number of dead letters; null for no limit.
-- status:      failed: it could not continue several times in a row.
-- failures:    how often in a row it could not continue.
-- waiting_for: why it does not continue at present, although it is running; null if it does.
-- shard:       the number of the present shard; the shards before it are done.
-- after_*:     the last processed dead letter of that shard; each is processed once.
-- next_at:     when the next dead letters may be moved.
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
    letters_max             bigint,
    rate_per_second         bigint,
    total                   bigint      not null,
    redriven                bigint      not null default 0,
    refused                 bigint      not null default 0,
    failures                int         not null default 0,
    last_error              text,
    waiting_for             text,
    shard                   int         not null default 0,
    after_failed_at         timestamptz not null default '-infinity',
    after_partition_id      uuid        not null default '00000000-0000-0000-0000-000000000000',
    after_group_name        text        not null default '',
    after_message_offset    bigint      not null default -1,
    next_at                 timestamptz not null default clock_timestamp(),
    created_at              timestamptz not null default clock_timestamp(),
    finished_at             timestamptz,
    constraint redrive_status_is_known check (status in ('running', 'finished', 'cancelled', 'failed'))
);

-- Traces that consumers recorded about messages.
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

-- The same traces by name.
create table queen.trace_mark (
    name            text        not null,
    created_at      timestamptz not null,
    trace_id        uuid        not null,
    partition_id    uuid        not null,
    message_offset  bigint      not null,
    primary key (name, created_at, trace_id)
);

-- The names of traces with counts, maintained at each write: there may be a name for every order, too many to count on demand.
create table queen.trace_name (
    name            text        primary key,
    trace_count     bigint      not null,
    message_count   bigint      not null,
    last_seen       timestamptz not null
);

-- A stream query: a chain of operators that a runner applies to the partitions of a queue.
-- config_hash: the fingerprint of the chain; another one with the same name is rejected unless the state is reset.
-- state_id:    the key of its state rows; a reset assigns a new one, and the old rows are deleted later.
create table queen.stream_query (
    id              uuid        primary key default gen_random_uuid(),
    name            text        not null,
    source_queue    text        not null,
    sink_queue      text,
    config_hash     text        not null,
    state_id        uuid        not null default gen_random_uuid(),
    created_at      timestamptz not null default clock_timestamp(),
    reset_at        timestamptz,
    constraint stream_query_name_is_unique unique (name)
);

-- The servers that run or ran recently. report: the number of the last report, so that no report is applied twice.
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

-- The present consumers of each server, reported every second: one row per server, arrays of equal length.
-- seen_at:      the time of the last report; waiting pops count for some seconds, leases until they end.
-- waiting:      waiting pops. leases: live leases acquired by the server. Both 0: a pop ended a moment ago.
-- leased_until: the end of the last of those leases; null if there is none.
create table queen.presence (
    server_id       uuid            primary key,
    seen_at         timestamptz     not null,
    queue_names     text[]          not null,
    group_names     text[]          not null,
    waiting         int[]           not null,
    leases          int[]           not null,
    leased_until    timestamptz[]   not null
) with (fillfactor = 50);

-- Counts of a queue on one server, in buckets of a minute and of an hour (minutes: the width of the bucket). Reports of servers are added;
-- a bucket changes during its time, and later only by a late report.
-- lag_*:        the age of messages at delivery.
-- waiting_pops: the maximum of the reported numbers of waiting pops.
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
    partitions_created   bigint      not null,
    lag_sum_ms      bigint      not null,
    lag_max_ms      bigint      not null,
    waiting_pops    bigint      not null,
    primary key (queue_id, minutes, at, server_id)
) with (fillfactor = 80);

-- The same for one server, over all queues. A request for several queues counts once here.
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
    partitions_created   bigint      not null,
    lag_sum_ms      bigint      not null,
    lag_max_ms      bigint      not null,
    calls           bigint      not null,
    db_errors       bigint      not null,
    primary key (server_id, minutes, at)
) with (fillfactor = 80);

-- Samples of the gauges of a server, such as memory, connections, and the delay of the engine loop.
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

-- The maximum time for which the oldest unread message of a queue had been due, in each minute and hour (minutes: the width of the bucket).
-- Queues without due messages and paused ones have no row.
create table queen.lag_bucket (
    queue_id    uuid        not null,
    minutes     int         not null,
    at          timestamptz not null,
    oldest_s    bigint      not null,
    primary key (queue_id, minutes, at)
) with (fillfactor = 80);

-- Totals of a queue since its creation.
create table queen.queue_lifetime (
    queue_id        uuid    primary key,
    push_requests   bigint  not null,
    push_messages   bigint  not null,
    pop_messages    bigint  not null,
    ack_success     bigint  not null,
    ack_failed      bigint  not null,
    dead_letters    bigint  not null
) with (fillfactor = 50);

-- Totals of all servers and queues, including deleted ones: one row.
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

-- Refused messages by queue, reason and minute.
create table queen.refusal_minute (
    queue_id    uuid        not null,
    at          timestamptz not null,
    reason      text        not null,
    count       bigint      not null,
    primary key (queue_id, at, reason)
) with (fillfactor = 80);

-- Totals of refused messages.
create table queen.refusal_sum (
    queue_id    uuid        not null,
    reason      text        not null,
    count       bigint      not null,
    primary key (queue_id, reason)
) with (fillfactor = 50);

-- Tables whose rows are deleted when they are METRICS_RETENTION_DAYS old. A migration that adds such a table must add a row here. A table
-- without a schema exists in every shard: roll_off is called once per shard, with the shard in the search_path.
create table queen.roll_off (
    table_name      text primary key,
    time_column     text not null
);
insert into queen.roll_off (table_name, time_column)
values ('queen.refusal_minute', 'at'), ('retention_minute', 'at');

-- Discovery of the servers of a cluster: each member writes its row. It serves only hints, as does the key below: a server without peers
-- works, with more latency.
-- cluster: the name of the group; servers with another secret are another group.
-- ip:      the address on which the member listens for peers.
create table queen.cluster_member (
    address     text        primary key,
    name        text,
    cluster     text        not null,
    ip          text        not null,
    coord       boolean     not null,
    since       timestamptz not null default now()
);

-- One row: the secret with which servers without a configured secret authenticate each other.
create table queen.cluster_key (
    is_the_only_row     boolean     primary key default true,
    key                 bytea       not null,
    constraint cluster_key_has_one_row check (is_the_only_row)
);
insert into queen.cluster_key (key) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- Work to be done when a transaction of a user's program commits, in which it pushed or acknowledged. No row outlives its transaction, so
-- the table is unlogged.
-- group_name, lease_id, message_offset: of an acknowledged message; null for a partition with a push.
create unlogged table queen.commitment (
    transaction     xid8    not null default pg_current_xact_id(),
    queue_name      text    not null,
    partition_id    uuid    not null,
    group_name      text,
    lease_id        uuid,
    message_offset  bigint,
    unique (transaction, partition_id, group_name, message_offset)
);


-- Keys and indexes

-- A table without a primary key: if the user publishes all tables of the database, PostgreSQL rejects updates of a table without a replica
-- identity. It has no cost without a publication.
alter table queen.catalog replica identity full;

-- The groups of a queue: the primary key begins with the group.
create index subscription_queue_name_idx on queen.subscription (queue_name);

-- Actions in a time range; then by actor and by target, newest first.
create index audit_at_idx on queen.audit (at);
create index audit_actor_id_idx on queen.audit (actor, id);
create index audit_target_id_idx on queen.audit (target, id);

-- The next redrive to continue; and the list of all, newest first.
create index redrive_next_at_idx on queen.redrive (next_at) where status = 'running';
create index redrive_created_at_idx on queen.redrive (created_at);

-- Traces of a message, to list and to delete them; a name that a message has already is not counted twice.
create index trace_partition_id_message_offset_idx on queen.trace (partition_id, message_offset);
create index trace_mark_partition_id_message_offset_idx on queen.trace_mark (partition_id, message_offset, name);

-- Names, last used first.
create index trace_name_last_seen_idx on queen.trace_name (last_seen);

-- A time range over all queues or servers, and old rows to delete.
create index queue_bucket_minutes_at_idx on queen.queue_bucket (minutes, at);
create index server_bucket_minutes_at_idx on queen.server_bucket (minutes, at);
create index server_gauge_minutes_at_idx on queen.server_gauge (minutes, at);
create index lag_bucket_minutes_at_idx on queen.lag_bucket (minutes, at);
create index refusal_minute_at_idx on queen.refusal_minute (at);


-- Pushing and acknowledging inside a transaction of a user's program. Programs call these functions, so their signatures do not change; the
-- work is done by the routines of the release in use. Functions that call routines are security definer, so that a program needs only the
-- right to use the schema queen.

-- The routines of the release that started last.
create function queen.routines()
returns text
language sql stable
as $$
select name from queen.routine_set order by used_at desc limit 1
$$;

create function queen.push(queue text, partition text, payload text, transaction_id text default null)
returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
    result text;
begin
    execute format('select %I.push_within($1, $2, $3, $4)', queen.routines())
    into result using queue, partition, payload, transaction_id;
    return result;
end
$$;

create function queen.push(queue text, partition text, payload json, transaction_id text default null)
returns text
language sql volatile
as $$
select queen.push(queue, partition, payload::text, transaction_id)
$$;

create function queen.push(queue text, partition text, payload jsonb, transaction_id text default null)
returns text
language sql volatile
as $$
select queen.push(queue, partition, payload::text, transaction_id)
$$;

-- The same with headers or a traceId.
create function queen.push(
    queue text, partition text, payload text, transaction_id text, headers json, trace_id uuid default null)
returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
    result text;
begin
    execute format('select %I.push_within($1, $2, $3, $4, $5, $6)', queen.routines())
    into result using queue, partition, payload, transaction_id, headers, trace_id;
    return result;
end
$$;

create function queen.push(
    queue text, partition text, payload json, transaction_id text, headers json, trace_id uuid default null)
returns text
language sql volatile
as $$
select queen.push(queue, partition, payload::text, transaction_id, headers, trace_id)
$$;

create function queen.push(
    queue text, partition text, payload jsonb, transaction_id text, headers json, trace_id uuid default null)
returns text
language sql volatile
as $$
select queen.push(queue, partition, payload::text, transaction_id, headers, trace_id)
$$;

create function queen.ack(partition_id uuid, consumer_group text, lease_id uuid, transaction_id text)
returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
    result text;
begin
    execute format('select %I.ack_within($1, $2, $3, $4)', queen.routines())
    into result using partition_id, consumer_group, lease_id, transaction_id;
    return result;
end
$$;

create function queen.commit()
returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
    execute format('select %I.commit_within($1)', queen.routines()) using new;
    return null;
end
$$;

create constraint trigger commitment_is_kept
after insert on queen.commitment
deferrable initially deferred
for each row execute function queen.commit();
