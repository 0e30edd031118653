-- Lanes and groups as things an operator works with.
-- is_paused: nothing of the lane is handed out. removed: offsets that are never delivered to anybody any more; null when none.
alter table queen.partition
    add column is_paused boolean not null default false,
    add column if not exists removed int8multirange;

-- skipped_count: messages an operator moved the cursor over, less those that a seek back gave the group once more.
-- With it, how far a cursor came is always the sum of what was counted: a message given again is counted again when it ends.
alter table queen.cursor
    add column skipped_count bigint not null default 0;

-- Which cursors are new. created_at never changes, so leases and acks stay heap-only updates.
create index cursor_created_at_idx on queen.cursor (created_at);

-- Groups to which nothing of a queue is handed out; loaded by servers together with the queues.
create table queen.group_pause (
    queue_id    uuid        not null references queen.queue (id) on delete cascade,
    group_name  text        not null,
    paused_at   timestamptz not null default clock_timestamp(),
    primary key (queue_id, group_name)
);

-- subscription_version: grows when an operator changes subscriptions; servers then forget those they remember.
-- lanes_since:          queen.revised_lane knows every lane revised after this version; a server that knows an older
--                       version has missed some, and forgets all lanes.
alter table queen.catalog
    add column subscription_version bigint not null default 0,
    add column lanes_since bigint not null default 0;

-- Lanes an operator changed, with the version of the catalog that tells of it: servers look at these lanes again. Kept for
-- some minutes.
create table queen.revised_lane (
    version         bigint      primary key,
    partition_id    uuid        not null,
    revised_at      timestamptz not null default clock_timestamp()
);

-- Sums over the lanes of a queue, refreshed in the background by whoever comes first: lists read these instead of lanes.
-- pending and processing: of each lane's slowest group; a lane that nobody reads yet is pending as a whole.
-- revision:      of the queue, when it was last decided to count all its lanes; another one means that they have to be again.
-- recount_after: its lanes are being counted by name, and those up to this one are done; null when they are not.
-- recount_again: once that is done, it has to be done once more.
create table queen.queue_depth (
    queue_id        uuid        primary key references queen.queue (id) on delete cascade,
    partitions      bigint      not null default 0,
    total           bigint      not null default 0,
    pending         bigint      not null default 0,
    processing      bigint      not null default 0,
    computed_at     timestamptz not null default clock_timestamp(),
    revision        bigint      not null default -1,
    recount_after   text,
    recount_again   boolean     not null default false
) with (fillfactor = 50);

-- The same for one group: lanes it has a cursor in, those in which something is unread, and what is unread in them.
-- finished: messages it acked or gave up on, ever. oldest_at: when its oldest unread message came; oldest_seen: the
-- oldest one in the lanes that were looked at since the last time around.
create table queen.group_depth (
    queue_id        uuid        not null references queen.queue_depth (queue_id) on delete cascade,
    group_name      text        not null,
    partitions      bigint      not null default 0,
    lagging         bigint      not null default 0,
    pending         bigint      not null default 0,
    finished        bigint      not null default 0,
    oldest_at       timestamptz,
    oldest_seen     timestamptz,
    primary key (queue_id, group_name)
) with (fillfactor = 50);

-- What a lane adds to those sums, so that only lanes in which something happened need to be counted again.
-- oldest_at: when the oldest message came that some group has not finished; null when there is none.
create table queen.lane_depth (
    partition_id    uuid        primary key,
    queue_id        uuid        not null,
    total           bigint      not null,
    pending         bigint      not null,
    processing      bigint      not null,
    oldest_at       timestamptz,
    group_names     text[]      not null,
    group_pendings  bigint[]    not null,
    group_finished  bigint[]    not null
) with (fillfactor = 50);
create index lane_depth_open_idx on queen.lane_depth (partition_id) where oldest_at is not null;
create index lane_depth_oldest_at_idx on queen.lane_depth (oldest_at) where oldest_at is not null and group_names <> '{}';
create index lane_depth_queue_id_pending_idx on queen.lane_depth (queue_id, pending) where pending > 0;

-- How far the counting has come. One row.
-- since:          lanes that were not pushed to since then are counted.
-- cursors_since:  lanes in which no cursor was opened since then are counted.
-- open_after:     of the lanes with something unread, those up to this one were looked at lately; all_after: the same for all.
create table queen.depth_turn (
    since           timestamptz not null,
    cursors_since   timestamptz not null,
    open_after      uuid        not null,
    all_after       uuid        not null,
    computed_at     timestamptz not null
);
insert into queen.depth_turn (since, cursors_since, open_after, all_after, computed_at)
values (clock_timestamp(), clock_timestamp(), '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', '-infinity');
