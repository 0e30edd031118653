-- The tables of one shard: partitions, messages, cursors and their counts. Run once for each shard, with its name for the placeholder.
-- Nothing here refers to another shard.

-- A partition. The id is the name-based UUID (version 3) of the id of the queue and the name of the partition, so every server can compute
-- it.
-- head:         the offset of the next message. tail: the first offset that is still stored.
-- removed:      offsets that an operator removed: they are never delivered again. Null if there are none. A removed range at the tail is
--               not listed: the tail moves over it.
-- largest_line: the size in bytes of the largest line since the partition was last empty: a lease uses it as an upper bound of message
--               sizes without reading segments. Null if unknown.
-- is_paused:    no group can pop from the partition.
-- active_at:    follows last_push_at in steps of ten seconds.
-- writes, generation: see "Keys and indexes".
-- Columns that change with a push are in no index, so a push is a heap-only update; half of each page is left free for that.
create table :shard.partition (
    id              uuid            not null,
    queue_id        uuid            not null references queen.queue (id),
    name            text            not null,
    head            bigint          not null default 0,
    tail            bigint          not null default 0,
    removed         int8multirange,
    largest_line    int,
    is_paused       boolean         not null default false,
    last_push_at    timestamptz,
    active_at       timestamptz     not null default clock_timestamp(),
    created_at      timestamptz     not null default clock_timestamp(),
    writes          bigint          not null default 0,
    generation      bigint          not null default 0,
    constraint partition_tail_not_past_head check (tail <= head)
) with (fillfactor = 50);

-- The existence of a partition, exactly once. Never updated. A routine that inserts a partition must insert its key in the same statement
-- or transaction, before the partition, and must not insert the partition if the key exists; a routine that deletes a partition must delete
-- its key.
create table :shard.partition_key (
    id          uuid    primary key,
    queue_id    uuid    not null,
    name        text    not null
);

-- A segment: the messages with offsets base to base + count - 1 of a partition. Never updated, except that upkeep re-encrypts bodies.
-- body:   one line of JSON per message, {"id":…,"transactionId":…,"traceId":…,"producerSub":…,"data":…}, UTF-8, each line ended by \n.
--         Headers of a message are before data, and "isEncrypted":true after it.
-- hashes: hashtextextended(transactionId, 0) of each message, 8 bytes each, big endian, in order.
-- created_at is read under the lock of the partition and never decreases within a partition.
create table :shard.segment (
    partition_id    uuid        not null,
    base            bigint      not null,
    count           int         not null,
    created_at      timestamptz not null,
    hashes          bytea       not null,
    body            bytea       not null,
    primary key (partition_id, base),
    constraint segment_is_not_empty check (count > 0),
    constraint segment_has_a_hash_for_each_message check (octet_length(hashes) = 8 * count)
);
alter table :shard.segment alter column hashes set storage external;

-- lz4 compresses bodies as well as the default with much less CPU; without lz4 support, storing without compression uses the least CPU. See
-- docs/benchmarks/push-routine.md for the measurements.
do $$
begin
    if (select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression') then
        alter table :shard.segment alter column body set compression lz4;
    else
        alter table :shard.segment alter column body set storage external;
    end if;
end
$$;

-- The cursor of a group in a partition, with its lease.
-- committed:     the first offset that the group has not finished.
-- acked:         offsets finished ahead of committed; null if there are none.
-- lease_*:       the lease id, its expiry, and the end of the leased range; all null without a lease.
-- is_alone:      the lease covers exactly one message and nothing else, so that its expiry is caused by this message. A lease
--                that expires costs each of its unfinished messages one attempt. The last attempt of a message is made alone.
-- kept_lease_id: a lease whose holder declared that it waits; its expiry charges no attempt.
-- is_failing:    failure has rows for unfinished messages.
-- retry_at:      no message is delivered before this time; null if there is no delay.
-- *_count:       messages by final state; their sum is always the progress of the cursor: a redelivered message is counted again when it is
--                finished.
-- expired_count: messages that expired before the group finished them.
-- skipped_count: messages that an operator skipped, minus those that a seek back made deliverable again.
-- writes, generation: see "Keys and indexes".
-- Columns that change with each call are in no index, so leases and acks are heap-only updates.
create table :shard.cursor (
    partition_id    uuid            not null,
    group_name      text            not null,
    committed       bigint          not null,
    acked           int8multirange,
    lease_id        uuid,
    lease_until     timestamptz,
    lease_end       bigint,
    is_alone        boolean         not null default false,
    kept_lease_id   uuid,
    is_failing      boolean         not null default false,
    retry_at        timestamptz,
    completed_count bigint          not null default 0,
    dead_count      bigint          not null default 0,
    expired_count   bigint          not null default 0,
    skipped_count   bigint          not null default 0,
    last_ack_at     timestamptz,
    created_at      timestamptz     not null default clock_timestamp(),
    writes          bigint          not null default 0,
    generation      bigint          not null default 0
) with (fillfactor = 50);

-- The existence of a cursor, exactly once. Never updated. A routine that inserts a cursor must insert its key in the same statement or
-- transaction, before the cursor, and must not insert the cursor if the key exists; a routine that deletes a cursor must delete its key.
create table :shard.cursor_key (
    partition_id    uuid    not null,
    group_name      text    not null,
    primary key (partition_id, group_name)
);

-- The partitions of leases over several partitions, so that any server can renew a lease by its id.
create table :shard.lease_partitions (
    lease_id        uuid        primary key,
    partition_ids   uuid[]      not null,
    created_at      timestamptz not null default clock_timestamp()
);

-- Failed deliveries of unfinished messages. A row is a run of messages with equal failures: the unfinished ones of message_count messages
-- from message_offset on. Runs of a cursor do not overlap.
create table :shard.failure (
    partition_id    uuid        not null,
    group_name      text        not null,
    message_offset  bigint      not null,
    message_count   int         not null default 1,
    attempts        int         not null,
    error           text,
    retry_at        timestamptz,
    failed_at       timestamptz not null,
    primary key (partition_id, group_name, message_offset)
);

-- A dead letter: a copy of a message that a group failed to process. It is kept after the segment is deleted.
-- partition_name, transaction_id: search keys. A partition may be deleted before its dead letters, so they store its name.
-- reason: retry_limit, lease_expired, consumer, expired or operator; null if an older release did not record it.
-- A routine that inserts, changes or deletes dead letters must record it in dead_letter_change, in the same statement or transaction.
create table :shard.dead_letter (
    partition_id    uuid        not null,
    group_name      text        not null,
    message_offset  bigint      not null,
    queue_id        uuid        not null,
    partition_name  text,
    transaction_id  text,
    line            bytea       not null,
    reason          text,
    error           text,
    attempts        int         not null,
    created_at      timestamptz not null,
    failed_at       timestamptz not null,
    primary key (partition_id, group_name, message_offset)
);

-- Inserted and deleted dead letters, recorded with the change itself and without waiting. The next report of a server adds them to the
-- sums, so the table is small.
-- ever, kept: the change of the total and of the stored number: both 1 for an insert, 0 and -1 for a delete. A dead letter that is replaced
--             after a seek is a delete with its old reason and an insert with its new one.
create table :shard.dead_letter_change (
    id          bigint  generated always as identity primary key,
    queue_id    uuid    not null,
    reason      text,
    ever        bigint  not null,
    kept        bigint  not null
);

-- The total and the stored number of dead letters of a queue, without the changes above. reason: 'unknown' for null.
create table :shard.dead_letter_sum (
    queue_id    uuid    not null,
    reason      text    not null,
    ever        bigint  not null,
    kept        bigint  not null,
    primary key (queue_id, reason)
) with (fillfactor = 50);

-- The next check of a partition by upkeep.
-- retention, eviction: when its oldest message may have become too old.
-- idle:                since when the partition has had no activity; it is empty.
-- No foreign keys, here and in the next two tables: a writer has locked partitions and must not wait for a queue that is being deleted.
create table :shard.partition_upkeep (
    partition_id    uuid        not null,
    kind            text        not null,
    queue_id        uuid        not null,
    due_at          timestamptz not null,
    primary key (partition_id, kind),
    constraint partition_upkeep_kind_is_known check (kind in ('retention', 'eviction', 'idle'))
);

-- The partitions of a queue that have rows in partition_upkeep.
-- ages:       the age limits in seconds of the due times; if the options of the queue change, all its partitions get new due times.
-- swept_to:   the name up to which that is done; null if it is complete.
-- seen_until: partitions with pushes before this time have their row.
create table :shard.queue_upkeep (
    queue_id        uuid        not null,
    kind            text        not null,
    ages            int[]       not null,
    swept_to        text,
    seen_until      timestamptz not null,
    primary key (queue_id, kind)
);

-- Removed messages and deleted partitions, by minute. completed_retention: messages that every group had finished; eviction: counted once
-- per group.
create table :shard.retention_minute (
    at                  timestamptz not null,
    queue_id            uuid        not null,
    retention           bigint      not null default 0,
    completed_retention bigint      not null default 0,
    eviction            bigint      not null default 0,
    partitions_deleted       bigint      not null default 0,
    primary key (at, queue_id)
);

-- Partitions to be counted again. Every server records the partitions of its calls twice a second in one row, and so do routines called by
-- others. Counting deletes the rows that it has read. A partition that is recorded twice is only counted twice.
-- queue_names: queues with more changes than can be recorded per partition; all their partitions are counted.
create table :shard.touched_partitions (
    number          bigint      generated always as identity primary key,
    partition_ids   uuid[]      not null,
    queue_names     text[]      not null default '{}'
);

-- The progress of counting. One row.
-- turn:           the number of turns.
-- computed_at:    everything recorded before is counted.
-- searched_at:    the time of the last search for unrecorded changes.
-- since:          partitions without a push since then are counted.
-- cursors_since:  partitions without a new cursor since then are counted.
-- open_after:     the last partition of the rotation over partitions with unread messages; all_after: the same for all partitions.
create table :shard.depth_turn (
    turn            bigint      not null default 0,
    computed_at     timestamptz not null,
    searched_at     timestamptz not null default '-infinity',
    since           timestamptz not null,
    cursors_since   timestamptz not null,
    open_after      uuid        not null,
    all_after       uuid        not null
);
insert into :shard.depth_turn (computed_at, since, cursors_since, open_after, all_after)
values ('-infinity', clock_timestamp(), clock_timestamp(), '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');

-- The contribution of a partition to the sums below, so that only changed partitions have to be counted again.
-- turn:       the turn that wrote the row.
-- pending and processing: of the slowest group of the partition; without groups, all messages are pending.
-- group_dues: when the oldest unread message of each group was or will be due, in steps of 100 ms; null if nothing is unread.
-- oldest_at:  the first of these; null if there is none.
-- recheck_at: the counts may change at this time without a call: a lease expires.
create table :shard.partition_depth (
    partition_id    uuid            primary key,
    queue_id        uuid            not null,
    turn            bigint          not null,
    total           bigint          not null,
    pending         bigint          not null,
    processing      bigint          not null,
    group_names     text[]          not null,
    group_pendings  bigint[]        not null,
    group_finished  bigint[]        not null,
    group_dues      timestamptz[]   not null,
    oldest_at       timestamptz,
    recheck_at      timestamptz
) with (fillfactor = 50);

-- Sums over the partitions of a queue, updated in the background by any server; lists read these instead of partitions.
-- revision:      the revision of the queue when the last recount of all its partitions was scheduled; another revision requires a new one.
-- recount_after: its partitions are being recounted by name, up to this one; null if there is no recount.
-- recount_again: another recount must follow.
-- recount_since: since when the sums are known to be wrong until the recount ends; null if they are right, or if the recount is only a
--                precaution.
create table :shard.queue_depth (
    queue_id        uuid        primary key references queen.queue (id) on delete cascade,
    partitions      bigint      not null default 0,
    total           bigint      not null default 0,
    pending         bigint      not null default 0,
    processing      bigint      not null default 0,
    computed_at     timestamptz not null default clock_timestamp(),
    revision        bigint      not null default -1,
    recount_after   text,
    recount_again   boolean     not null default false,
    recount_since   timestamptz
) with (fillfactor = 50);

-- The same for every group that has a cursor in a partition of the queue or is subscribed to it: partitions, those with unread messages,
-- and the number of unread messages.
-- finished:  messages that it acked or that became its dead letters, in total.
-- oldest_at: when its oldest unread message was due; in the future if nothing is due yet.
-- since:     the turn that inserted the row. Earlier counts of partitions belong to a deleted group of the same name.
create table :shard.group_depth (
    queue_id        uuid        not null references :shard.queue_depth (queue_id) on delete cascade,
    group_name      text        not null,
    partitions      bigint      not null default 0,
    lagging         bigint      not null default 0,
    pending         bigint      not null default 0,
    finished        bigint      not null default 0,
    oldest_at       timestamptz,
    since           bigint      not null default 0,
    primary key (queue_id, group_name)
) with (fillfactor = 50);

-- The number of partitions in which the oldest unread message of a group was due at a time. The minimum is found by the index, no matter
-- how many partitions there are.
create table :shard.group_age (
    queue_id        uuid        not null,
    group_name      text        not null,
    due_at          timestamptz not null,
    partitions           bigint      not null,
    primary key (queue_id, group_name, due_at),
    foreign key (queue_id, group_name) references :shard.group_depth on delete cascade
) with (fillfactor = 50);

-- The progress of a stream query in a partition. A routine that changes the state of the partition must lock this row, so that cycles are
-- serialized.
-- partition_name: as in partition, for listing by name.
-- group_name:   the group of the last cycle.
-- state_*:      rows and bytes of state, updated with each change.
-- tokens:       the last applied cycles, newest first, to recognize repetitions.
-- offers:       when state was read without a lease, oldest first; only the times that flushes are compared with. offer_bounds: the latest
--               window_end of each read, '-infinity' if no row had one.
create table :shard.stream_partition (
    query_id        uuid                not null,
    partition_id    uuid                not null,
    partition_name  text                not null,
    group_name      text,
    state_rows      bigint              not null default 0,
    state_bytes     bigint              not null default 0,
    cycles          bigint              not null default 0,
    flushes         bigint              not null default 0,
    messages        bigint              not null default 0,
    emitted         bigint              not null default 0,
    last_cycle_at   timestamptz,
    tokens          uuid[]              not null default '{}',
    offers          timestamptz[]       not null default '{}',
    offer_bounds    double precision[]  not null default '{}',
    primary key (query_id, partition_id)
) with (fillfactor = 50);

-- The sums of a query over the partitions of the shard, as the total of several rows. A routine that adds to them uses a row that no other
-- transaction has locked, or inserts another one, so that cycles of different partitions do not wait for each other.
create table :shard.stream_count (
    id              bigint      generated always as identity primary key,
    query_id        uuid        not null,
    partitions           bigint      not null,
    state_rows      bigint      not null,
    state_bytes     bigint      not null,
    cycles          bigint      not null,
    flushes         bigint      not null,
    messages        bigint      not null,
    emitted         bigint      not null,
    last_cycle_at   timestamptz
) with (fillfactor = 50);

-- The state of a query in a partition, one row per key, updated in place.
-- state_id:   of the query, see queen.stream_query.
-- value:      JSON as sent by the client, or encrypted if is_sealed.
-- window_end: the number value.windowEnd, if present. It rarely changes, so updates of the row are heap-only.
create table :shard.stream_state (
    state_id        uuid                not null,
    partition_id    uuid                not null,
    key             text collate "C"    not null,
    value           bytea               not null,
    is_sealed       boolean             not null,
    window_end      double precision,
    updated_at      timestamptz         not null,
    primary key (state_id, partition_id, key)
) with (fillfactor = 70);

-- State that a reset or a deletion left behind, to be deleted in parts.
create table :shard.stream_garbage (
    state_id        uuid        primary key,
    created_at      timestamptz not null default clock_timestamp()
);


-- Keys and indexes

-- Each call updates a row and leaves an old version, which cannot be removed while any transaction of the database is open: every search by
-- key reads all of them, and so does the check of a unique index for each new version. Therefore the hot rows have a generation, a 256th of
-- their writes: the newest generation, the first one from the end of the index, has at most 256 versions, and the last written one usually
-- is found first. The index must not be unique: a write that changes the generation would then be a key update, and wait for transactions
-- with a key share lock on the row. The uniqueness of partitions and cursors is guaranteed by partition_key and cursor_key, which never
-- change.
create index partition_generation_idx on :shard.partition (id, generation);
create index cursor_generation_idx on :shard.cursor (partition_id, group_name, generation);

-- Tables without a primary key: if the user publishes all tables of the database, PostgreSQL rejects updates of a table without a replica
-- identity. It has no cost without a publication.
alter table :shard.partition replica identity full;
alter table :shard.cursor replica identity full;
alter table :shard.depth_turn replica identity full;

-- Partitions with recent pushes. active_at changes every ten seconds at most, so updates of a busy partition are heap-only otherwise.
create index partition_queue_id_active_at_idx on :shard.partition (queue_id, active_at);

-- Partitions are listed by name through their keys: an index on partition would get another entry whenever a row leaves its page, and an
-- open transaction would keep all of them. Besides, a push writes one index less. Not unique: the id is derived from queue and name.
create index partition_key_queue_id_name_idx on :shard.partition_key (queue_id, name);

-- New cursors. created_at never changes, so leases and acks stay heap-only updates.
create index cursor_created_at_idx on :shard.cursor (created_at);

-- Old records of leases.
create index lease_partitions_created_at_idx on :shard.lease_partitions (created_at);

-- Dead letters of a queue and of all queues by failure time; and the dead letters of a message.
create index dead_letter_queue_id_failed_at_idx on :shard.dead_letter (queue_id, failed_at);
create index dead_letter_failed_at_idx on :shard.dead_letter (failed_at);
create index dead_letter_partition_id_transaction_id_idx on :shard.dead_letter (partition_id, transaction_id);

-- The next due partition; and all rows of a deleted queue.
create index partition_upkeep_kind_due_at_idx on :shard.partition_upkeep (kind, due_at);
create index partition_upkeep_queue_id_idx on :shard.partition_upkeep (queue_id);

-- The rows of one queue: the primary key begins with the minute, for lists over all queues and for roll_off.
create index retention_minute_queue_id_idx on :shard.retention_minute (queue_id);

-- Partitions with unread messages, in rotation; the most overdue ones; the deepest ones of a queue; those to check again.
create index partition_depth_open_idx on :shard.partition_depth (partition_id) where oldest_at is not null;
create index partition_depth_oldest_at_idx on :shard.partition_depth (oldest_at) where oldest_at is not null and group_names <> '{}';
create index partition_depth_queue_id_pending_idx on :shard.partition_depth (queue_id, pending) where pending > 0;
create index partition_depth_recheck_at_idx on :shard.partition_depth (recheck_at) where recheck_at is not null;

-- Queues with wrong sums, and since when.
create index queue_depth_recount_since_idx on :shard.queue_depth (recount_since) where recount_since is not null;

-- Ages without partitions, to be deleted.
create index group_age_empty_idx on :shard.group_age (queue_id) where partitions = 0;

-- Queries with state in a deleted partition; and the partitions of a query by name.
create index stream_partition_partition_id_idx on :shard.stream_partition (partition_id);
create index stream_partition_query_id_partition_name_idx on :shard.stream_partition (query_id, partition_name);

-- The rows whose total is the sums of a query.
create index stream_count_query_id_idx on :shard.stream_count (query_id);

-- State whose window has ended, in that order.
create index stream_state_window_end_idx on :shard.stream_state (state_id, partition_id, window_end) where window_end is not null;
