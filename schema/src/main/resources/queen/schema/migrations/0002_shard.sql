-- What speaks of single partitions: partitions, messages, cursors, and what is counted of them. Run once for each shard, whose name takes the
-- place of the placeholder. Nothing here refers to another shard.

-- A partition. The id is the name-based UUID (version 3) of the queue's id and the partition's name, so any server can compute it.
-- head:         the offset the next message gets. tail: the first offset that is still to be had.
-- removed:      offsets that an operator removed: they are never delivered to anybody any more. Null when there are none. A removed
--               run at the tail is not listed: the tail moves over it.
-- largest_line: the largest line stored in the partition since it was last empty, in bytes: with it a lease knows without a look at the
--               segments that so many messages are not too much for one answer. Null where it is not known.
-- is_paused:    nothing of the partition is handed out.
-- active_at:    follows last_push_at in steps of ten seconds.
-- writes, generation: see "Keys and indexes".
-- What moves with a push is on no index, so that a push is a heap-only update; half of each page is left free for that.
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

-- That a partition exists, once. Never changes. Whoever inserts a partition writes its key in the same statement or transaction, before the
-- partition, and leaves the partition out if the key is there already; whoever deletes a partition deletes its key.
create table :shard.partition_key (
    id          uuid    primary key,
    queue_id    uuid    not null,
    name        text    not null
);

-- One stored run of messages of a partition: offsets base to base + count - 1. Never updated.
-- body:   one line of JSON per message, {"id":…,"transactionId":…,"traceId":…,"producerSub":…,"data":…}, UTF-8, each line ended by \n.
--         Headers, where a message has some, stand before data, and "isEncrypted":true after it.
-- hashes: hashtextextended(transactionId, 0) of each message, 8 bytes each, big endian, in order.
-- created_at is taken while the partition is locked and never goes back within a partition.
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

-- lz4 makes bodies as small as the default does for a good deal less CPU; where the server was built without it, not
-- compressing at all costs the least CPU. All three are measured in docs/benchmarks/push-routine.md.
do $$
begin
    if (select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression') then
        alter table :shard.segment alter column body set compression lz4;
    else
        alter table :shard.segment alter column body set storage external;
    end if;
end
$$;

-- How far a group has come in a partition, and who holds the partition for it.
-- committed:     first offset the group has not finished.
-- acked:         offsets finished ahead of committed; null when none.
-- lease_*:       the holder, until when, and the end of the range it was given; all null when nobody holds it.
-- is_alone:      the lease covers one message of one partition and nothing else, so that whatever becomes of it is that message's own
--                doing. A delivery that finished nothing costs every message of it one attempt, until the last one, which is made
--                alone.
-- kept_lease_id: a lease whose holder said that it waits on purpose; when that one runs out, nobody is charged.
-- is_failing:    there are rows in failure for unfinished messages.
-- retry_at:      nothing is handed out before this moment; null when the partition may go on.
-- *_count:       messages by what became of them, so that how far a cursor came is always the sum: a message given again is
--                counted again when it ends.
-- expired_count: messages the group never finished, because they grew too old.
-- skipped_count: messages an operator moved the cursor over, less those that a seek back gave the group once more.
-- writes, generation: see "Keys and indexes".
-- Nothing that moves with each call is on an index, so leases and acks are heap-only updates.
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

-- That a cursor of a group exists in a partition, once. Never changes. Whoever inserts a cursor writes its key in the same statement or
-- transaction, before the cursor, and leaves the cursor out if the key is there already; whoever deletes a cursor deletes its key.
create table :shard.cursor_key (
    partition_id    uuid    not null,
    group_name      text    not null,
    primary key (partition_id, group_name)
);

-- Which partitions one lease covers, kept only where it covers several, so that a lease can be renewed by its id alone on any server.
create table :shard.lease_partitions (
    lease_id        uuid        primary key,
    partition_ids   uuid[]      not null,
    created_at      timestamptz not null default clock_timestamp()
);

-- Failed deliveries of messages that are not finished yet. A row speaks of a run of messages that failed alike: those from
-- message_offset on, message_count of them, that are not finished. Runs of a cursor do not overlap.
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

-- A message a group gave up on: its own copy, which outlives the log.
-- partition_name, transaction_id: what it is found by. A partition may be cleaned up before its dead letters, so they keep its name
--         themselves.
-- reason: why it is a dead letter: retry_limit, lease_expired, consumer, expired or operator; null where that was not told.
-- Whoever inserts, changes or deletes dead letters says so in dead_letter_change, in the same statement or transaction.
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

-- Dead letters that came or went, noted with the change itself and without waiting for anybody. The next report of a server adds
-- them up, so there are few of them at any time.
-- ever, kept: what to add to how many there ever were, and are: both 1 for each that came, 0 and -1 for each that went. One that was
--             put back by a seek and buried again went for its old reason and came for its new one.
create table :shard.dead_letter_change (
    id          bigint  generated always as identity primary key,
    queue_id    uuid    not null,
    reason      text,
    ever        bigint  not null,
    kept        bigint  not null
);

-- How many dead letters a queue ever had, and has, up to the changes above. reason: 'unknown' where that is null.
create table :shard.dead_letter_sum (
    queue_id    uuid    not null,
    reason      text    not null,
    ever        bigint  not null,
    kept        bigint  not null,
    primary key (queue_id, reason)
) with (fillfactor = 50);

-- When a partition has to be looked at next.
-- retention, eviction: the moment its oldest message may have grown too old.
-- idle:                since when nothing happens in it; it is empty.
-- No foreign key, here and in the next two: whoever writes it holds partitions, and must not wait for a queue that is being deleted.
create table :shard.partition_upkeep (
    partition_id    uuid        not null,
    kind            text        not null,
    queue_id        uuid        not null,
    due_at          timestamptz not null,
    primary key (partition_id, kind),
    constraint partition_upkeep_kind_is_known check (kind in ('retention', 'eviction', 'idle'))
);

-- Which partitions of a queue have their row in partition_upkeep.
-- ages:       the seconds the due times were computed with; when the queue has others now, all its partitions get new ones.
-- swept_to:   the name up to which that was done; null when all of it is.
-- seen_until: partitions pushed to before this moment have their row.
create table :shard.queue_upkeep (
    queue_id        uuid        not null,
    kind            text        not null,
    ages            int[]       not null,
    swept_to        text,
    seen_until      timestamptz not null,
    primary key (queue_id, kind)
);

-- What went, by minute: messages, and partitions. completed_retention: those every group had finished; eviction: once for each group.
create table :shard.retention_minute (
    at                  timestamptz not null,
    queue_id            uuid        not null,
    retention           bigint      not null default 0,
    completed_retention bigint      not null default 0,
    eviction            bigint      not null default 0,
    partitions_deleted       bigint      not null default 0,
    primary key (at, queue_id)
);

-- Which partitions have to be counted again. Every server writes down the partitions its calls touched, twice a second and in one row, and so
-- do routines that others call. Whoever counts takes the rows it has read with it. A partition that is told twice is only counted twice.
-- queue_names: queues of which more happened than can be told partition by partition; all their partitions are gone through.
create table :shard.touched_partitions (
    number          bigint      generated always as identity primary key,
    partition_ids   uuid[]      not null,
    queue_names     text[]      not null default '{}'
);

-- How far the counting has come. One row.
-- turn:           counts the turns.
-- computed_at:    what was written down before is counted.
-- searched_at:    when partitions were last looked for that nobody wrote down.
-- since:          partitions that were not pushed to since then are counted.
-- cursors_since:  partitions in which no cursor was opened since then are counted.
-- open_after:     of the partitions with something unread, those up to this one were looked at lately; all_after: the same for all.
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

-- What a partition adds to the sums below, so that only partitions in which something happened need to be counted again.
-- turn:       of the counting that wrote the row.
-- pending and processing: of the partition's slowest group; a partition that nobody reads yet is pending as a whole.
-- group_dues: when the oldest unread message of each group was due, or will be, in steps of 100 ms; null where nothing is unread.
-- oldest_at:  the first of these; null when there is none.
-- recheck_at: something may be different by then though nobody touches the partition: a lease runs out.
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

-- Sums over the partitions of a queue, refreshed in the background by whoever comes first: lists read these instead of partitions.
-- revision:      of the queue, when it was last decided to count all its partitions; another one means that they have to be again.
-- recount_after: its partitions are being counted by name, and those up to this one are done; null when they are not.
-- recount_again: once that is done, it has to be done once more.
-- recount_since: since when it is known that the sums are wrong until all partitions were counted; null when they are right, or when the
--                partitions are gone through just in case.
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

-- The same for every group that has a cursor in a partition of the queue or is subscribed to it, whether or not it has come to a partition:
-- its partitions, those in which something is unread, and what is unread in them.
-- finished:  messages it acked or gave up on, ever.
-- oldest_at: from when on its oldest unread message was due; in the future when nothing is due yet.
-- since:     the turn in which the row was made. What a partition was counted for before belongs to a group of that name that was deleted.
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

-- In how many partitions the oldest unread message of a group was due at a moment. Sums like the others, so that the oldest one of all is
-- found at once, however many partitions there are.
create table :shard.group_age (
    queue_id        uuid        not null,
    group_name      text        not null,
    due_at          timestamptz not null,
    partitions           bigint      not null,
    primary key (queue_id, group_name, due_at),
    foreign key (queue_id, group_name) references :shard.group_depth on delete cascade
) with (fillfactor = 50);

-- What a stream query has done in a partition. Whoever changes the state of the partition holds this row, so that a cycle sees the one before it.
-- partition_name: as in partition, so that partitions are gone through by name.
-- group_name:   the group that the last cycle spoke for.
-- state_*:      rows and bytes of state, counted as they change.
-- tokens:       the last cycles that took effect, newest first: one that comes again is recognised.
-- offers:       when state was read without a lease, oldest first; only those moments that a flush is judged by. offer_bounds: the
--               latest window_end that was read at each of them, '-infinity' where no row had one.
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

-- What a query has done and has in all partitions of the shard: the sum of its rows. Whoever adds to it takes one that nobody else holds
-- at that moment, or makes another one, so that cycles of different partitions do not wait for each other.
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

-- The state of a query in a partition, one row per key, changed in place.
-- state_id:   of the query, see queen.stream_query.
-- value:      JSON as it was sent, or encrypted when is_sealed.
-- window_end: the number value.windowEnd, where there is one. Mostly the same for as long as the row lives, so that writing the row
--             again is a heap-only update.
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

-- State that a reset or a deletion left behind, to be removed little by little.
create table :shard.stream_garbage (
    state_id        uuid        primary key,
    created_at      timestamptz not null default clock_timestamp()
);


-- Keys and indexes

-- A row that is written for every call leaves old versions behind, and while any transaction in the database is open, they
-- cannot be removed: every search by key walks over all of them, and so does the check of a unique index that a new
-- version is added to. So the hot rows carry a generation, which is a 256th of its writes: the newest generation, the first
-- one found from the end of the index, never has more than 256 versions, and the last one written of them mostly comes first.
-- The index must not be unique: a write that moves on would then be one of the row's key, and have to wait for those who hold
-- the row for key share. That a partition or cursor exists once is what partition_key and cursor_key say, which never change.
create index partition_generation_idx on :shard.partition (id, generation);
create index cursor_generation_idx on :shard.cursor (partition_id, group_name, generation);

-- Tables without a primary key: somebody may publish all tables of the database, and an update is refused there unless this says
-- how the replica finds the row. Costs nothing where nothing is published.
alter table :shard.partition replica identity full;
alter table :shard.cursor replica identity full;
alter table :shard.depth_turn replica identity full;

-- Which partitions were pushed to lately. active_at moves every ten seconds at most, so a busy partition leaves the heap-only path only that
-- often.
create index partition_queue_id_active_at_idx on :shard.partition (queue_id, active_at);

-- Partitions are gone through by name in the keys: an index by name on the partitions themselves would get another entry whenever a partition's row
-- leaves its page, and while a transaction is open elsewhere none of them goes. Besides, that is one index less to write for a push.
-- Not unique, for the id says all that needs to be: it follows from queue and name.
create index partition_key_queue_id_name_idx on :shard.partition_key (queue_id, name);

-- Which cursors are new. created_at never changes, so leases and acks stay heap-only updates.
create index cursor_created_at_idx on :shard.cursor (created_at);

-- Which leases are long over.
create index lease_partitions_created_at_idx on :shard.lease_partitions (created_at);

-- Dead letters of a queue and of all queues, latest failure first, or oldest first to be redriven; and the one of a message.
create index dead_letter_queue_id_failed_at_idx on :shard.dead_letter (queue_id, failed_at);
create index dead_letter_failed_at_idx on :shard.dead_letter (failed_at);
create index dead_letter_partition_id_transaction_id_idx on :shard.dead_letter (partition_id, transaction_id);

-- Which partition is due next; and all rows of a queue that is deleted.
create index partition_upkeep_kind_due_at_idx on :shard.partition_upkeep (kind, due_at);
create index partition_upkeep_queue_id_idx on :shard.partition_upkeep (queue_id);

-- What went from one queue: the primary key begins with the minute, as all queues are shown and rolled off.
create index retention_minute_queue_id_idx on :shard.retention_minute (queue_id);

-- Partitions with something unread, in turn; those that lag the longest; those of a queue with most unread; those to look at again.
create index partition_depth_open_idx on :shard.partition_depth (partition_id) where oldest_at is not null;
create index partition_depth_oldest_at_idx on :shard.partition_depth (oldest_at) where oldest_at is not null and group_names <> '{}';
create index partition_depth_queue_id_pending_idx on :shard.partition_depth (queue_id, pending) where pending > 0;
create index partition_depth_recheck_at_idx on :shard.partition_depth (recheck_at) where recheck_at is not null;

-- Whether the sums of any queue are wrong, and since when.
create index queue_depth_recount_since_idx on :shard.queue_depth (recount_since) where recount_since is not null;

-- Ages that no partition has any more, to be removed.
create index group_age_empty_idx on :shard.group_age (queue_id) where partitions = 0;

-- What queries have in a partition that is deleted; and the partitions of a query by name.
create index stream_partition_partition_id_idx on :shard.stream_partition (partition_id);
create index stream_partition_query_id_partition_name_idx on :shard.stream_partition (query_id, partition_name);

-- The rows that add up to what a query has.
create index stream_count_query_id_idx on :shard.stream_count (query_id);

-- State whose window has ended, in that order.
create index stream_state_window_end_idx on :shard.stream_state (state_id, partition_id, window_end) where window_end is not null;
