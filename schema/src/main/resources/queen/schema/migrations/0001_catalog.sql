-- What there is once in a database: queues and who reads them, what operators did, what happened on the servers, and the functions
-- that programs call inside their own transactions. All of it is in the schema queen. What speaks of single partitions is in the shards.

-- The shards of this database: schemas queen_00, queen_01, … with the same tables each. Rows are written by whoever installs them.
-- A partition is in the shard whose number is the first byte of its id modulo the number of shards, for ever: none is added later.
create table queen.shard (
    number  int     primary key,
    name    text    not null unique
);

-- A queue and its options. Durations are whole seconds or milliseconds, as the unit suffix says.
-- retry_backoff:  what the retry delay is multiplied by after each further failure.
-- dedup_window_s: how long transactionIds are remembered; null: as long as the server's setting says.
-- is_paused:      nothing is handed out, to nobody.
-- revision:       grows with every change made to what is in the queue, not to the queue itself: servers that see another one
--                 forget what they believe about its partitions.
-- partition_floor:     the first offset of partitions created from now on. It is past every partition of the queue that was ever deleted,
--                 so that no offset of a partition is used twice, though the partition comes and goes.
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

-- How full a queue with a max_size is. Pushes to such a queue take turns by this row.
-- size:          no less than the number of unfinished messages; null when nobody knows.
-- revision:      of the queue, for which size is true.
-- recount_at:    before this moment the messages are not counted again, because that took long.
-- doubted_until: until this moment servers that have not heard of the limit yet may push without raising size.
create table queen.queue_size (
    queue_id        uuid        primary key references queen.queue (id) on delete cascade,
    size            bigint,
    revision        bigint      not null default 0,
    recount_at      timestamptz not null default '-infinity',
    doubted_until   timestamptz not null default '-infinity'
) with (fillfactor = 50);

-- From where a group reads partitions it has no cursor in yet: of one queue, or of all queues of a namespace and task ('' = any).
-- Recorded at the group's first pop, whether or not the queue exists by then.
-- mode all:       from the beginning.
-- mode new:       cursors were placed at the head of every partition there was; partitions created later are read from their beginning.
-- mode timestamp: from the first message at or after from_at.
-- is_sought:      an operator said where the group begins, and the group has not come yet.
create table queen.subscription (
    group_name      text        not null,
    queue_name      text        not null,
    namespace       text        not null,
    task            text        not null,
    mode            text        not null,
    from_at         timestamptz,
    is_sought       boolean     not null default false,
    subscribed_at   timestamptz not null default clock_timestamp(),
    primary key (group_name, queue_name, namespace, task),
    constraint subscription_mode_is_known check (mode in ('all', 'new', 'timestamp'))
);

-- Groups to which nothing of a queue is handed out; loaded by servers together with the queues.
create table queen.group_pause (
    queue_id    uuid        not null references queen.queue (id) on delete cascade,
    group_name  text        not null,
    paused_at   timestamptz not null default clock_timestamp(),
    primary key (queue_id, group_name)
);

-- One row, which servers read once a second.
-- version:              grows with every change of a queue, in the transaction that makes it: servers reload their queues only
--                       when it moved.
-- subscription_version: grows when an operator changes subscriptions; servers then forget those they remember.
-- partitions_since:          queen.revised_partition knows every partition revised after this version; a server that knows an older
--                       version has missed some, and forgets all partitions.
create table queen.catalog (
    version                 bigint  not null,
    subscription_version    bigint  not null default 0,
    partitions_since             bigint  not null default 0
);
insert into queen.catalog (version) values (1);

-- Partitions an operator changed, with the version of the catalog that tells of it: servers look at these partitions again. Kept for
-- some minutes.
create table queen.revised_partition (
    version         bigint      primary key,
    partition_id    uuid        not null,
    revised_at      timestamptz not null default clock_timestamp()
);

-- One row: what holds for all servers together.
-- *_maintenance:    nothing is taken in, or nothing handed out, by any server.
-- encryption_epoch: grows whenever the encryption of a queue is switched on. Push compares it with the epoch of the
--                   caller's catalog, so that a server that has not heard of it yet stores nothing in clear.
-- It is read by every push, so it is no part of queen.catalog, which changes whenever a queue does.
create table queen.system_state (
    is_the_only_row     boolean     primary key default true,
    push_maintenance    boolean     not null default false,
    pop_maintenance     boolean     not null default false,
    encryption_epoch    bigint      not null default 0,
    constraint system_state_has_one_row check (is_the_only_row)
);
insert into queen.system_state default values;

-- Who changed what, when, and from what to what.
create table queen.audit (
    id      bigint      generated always as identity primary key,
    at      timestamptz not null default clock_timestamp(),
    actor   text        not null,
    action  text        not null,
    target  text        not null,
    before  jsonb,
    after   jsonb
);

-- Dead letters on their way back into partitions, a few at a time: those of one shard after those of another, in each the oldest failure
-- first.
-- The filter (null: any), where they go (null: whence they came), how many and how fast at most.
-- status:      failed: it could not go on, several times in a row.
-- failures:    how often in a row it could not go on.
-- waiting_for: why it does not go on at this moment, though it is running; null while it does.
-- shard:       the number of the shard whose dead letters are being tried; those of the shards before it are done.
-- after_*:     the dead letter of that shard that was tried last; each is tried once.
-- next_at:     when the next few may go.
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

-- The same traces by the names they were filed under.
create table queen.trace_mark (
    name            text        not null,
    created_at      timestamptz not null,
    trace_id        uuid        not null,
    partition_id    uuid        not null,
    message_offset  bigint      not null,
    primary key (name, created_at, trace_id)
);

-- The names, counted as they are used, because there may be one for every order and nobody could count them on demand.
create table queen.trace_name (
    name            text        primary key,
    trace_count     bigint      not null,
    message_count   bigint      not null,
    last_seen       timestamptz not null
);

-- A stream query: a chain of operators that a runner carries out over the partitions of a queue.
-- config_hash: the fingerprint of the chain; another one under the same name is refused unless the state is given up.
-- state_id:    what the rows of its state are filed under; a reset takes another one, and the old rows are swept later.
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
    partitions_created   bigint      not null,
    lag_sum_ms      bigint      not null,
    lag_max_ms      bigint      not null,
    parked          bigint      not null,
    primary key (queue_id, minutes, at, server_id)
) with (fillfactor = 80);

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
    partitions_created   bigint      not null,
    lag_sum_ms      bigint      not null,
    lag_max_ms      bigint      not null,
    calls           bigint      not null,
    db_errors       bigint      not null,
    primary key (server_id, minutes, at)
) with (fillfactor = 80);

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

-- How long the oldest unread message of a queue had been due, the longest in each minute and in each hour (minutes: how wide the
-- bucket is). No row where nothing was, and none for what is paused.
create table queen.lag_bucket (
    queue_id    uuid        not null,
    minutes     int         not null,
    at          timestamptz not null,
    oldest_s    bigint      not null,
    primary key (queue_id, minutes, at)
) with (fillfactor = 80);

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

-- Messages that were pushed and not taken, by queue and reason: by minute.
create table queen.refusal_minute (
    queue_id    uuid        not null,
    at          timestamptz not null,
    reason      text        not null,
    count       bigint      not null,
    primary key (queue_id, at, reason)
) with (fillfactor = 80);

-- The same, ever.
create table queen.refusal_sum (
    queue_id    uuid        not null,
    reason      text        not null,
    count       bigint      not null,
    primary key (queue_id, reason)
) with (fillfactor = 50);

-- Tables whose rows go when they are METRICS_RETENTION_DAYS old. Whoever adds such a table adds a row here. One without a schema is
-- in every shard: rows roll off once for each shard, which is in the search_path by then.
create table queen.roll_off (
    table_name      text primary key,
    time_column     text not null
);
insert into queen.roll_off (table_name, time_column)
values ('queen.refusal_minute', 'at'), ('retention_minute', 'at');

-- Where servers on this database find each other: members of groups of servers, written by the members themselves. It only serves
-- hints, and so does the key below: a server that finds nobody works as well, and a little later.
-- cluster: the name of the group; servers with another secret are another group.
-- ip:      where the member listens for others.
create table queen.cluster_member (
    address     text        primary key,
    name        text,
    cluster     text        not null,
    ip          text        not null,
    coord       boolean     not null,
    since       timestamptz not null default now()
);

-- What servers prove themselves with to each other. One row: the key of those that were given no secret of their own.
create table queen.cluster_key (
    is_the_only_row     boolean     primary key default true,
    key                 bytea       not null,
    constraint cluster_key_has_one_row check (is_the_only_row)
);
insert into queen.cluster_key (key) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- What is still to be done when a transaction of the user's own program commits, in which it pushed or acknowledged. No row outlives
-- the transaction that wrote it, so nothing needs logging.
-- group_name, lease_id, message_offset: of an acknowledged message; null for a partition that was pushed to.
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

-- A table without a primary key: somebody may publish all tables of the database, and an update is refused there unless this says
-- how the replica finds the row. Costs nothing where nothing is published.
alter table queen.catalog replica identity full;

-- Who reads a queue: the primary key begins with the group.
create index subscription_queue_name_idx on queen.subscription (queue_name);

-- What happened in a span of time; then who did what, and what was done to a thing, latest first.
create index audit_at_idx on queen.audit (at);
create index audit_actor_id_idx on queen.audit (actor, id);
create index audit_target_id_idx on queen.audit (target, id);

-- Which redrive goes on next; and the list of all, latest first.
create index redrive_next_at_idx on queen.redrive (next_at) where status = 'running';
create index redrive_created_at_idx on queen.redrive (created_at);

-- Traces of a message, to show them, and to forget them when the message goes; names that a message has already are not counted twice.
create index trace_partition_id_message_offset_idx on queen.trace (partition_id, message_offset);
create index trace_mark_partition_id_message_offset_idx on queen.trace_mark (partition_id, message_offset, name);

-- Names, last used first.
create index trace_name_last_seen_idx on queen.trace_name (last_seen);

-- A span of time over all queues or servers, and what is old enough to go.
create index queue_bucket_minutes_at_idx on queen.queue_bucket (minutes, at);
create index server_bucket_minutes_at_idx on queen.server_bucket (minutes, at);
create index server_gauge_minutes_at_idx on queen.server_gauge (minutes, at);
create index lag_bucket_minutes_at_idx on queen.lag_bucket (minutes, at);
create index refusal_minute_at_idx on queen.refusal_minute (at);


-- Pushing and acknowledging inside a transaction of the user's own program. These functions are what such programs call, so they
-- stay as they are; what they do is in the routines of the release in use. Those that call routines run as their owner, so that a
-- program needs nothing but the right to use the schema queen.

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
    answer text;
begin
    execute format('select %I.push_within($1, $2, $3, $4)', queen.routines())
    into answer using queue, partition, payload, transaction_id;
    return answer;
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
    answer text;
begin
    execute format('select %I.push_within($1, $2, $3, $4, $5, $6)', queen.routines())
    into answer using queue, partition, payload, transaction_id, headers, trace_id;
    return answer;
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
    answer text;
begin
    execute format('select %I.ack_within($1, $2, $3, $4)', queen.routines())
    into answer using partition_id, consumer_group, lease_id, transaction_id;
    return answer;
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
