-- Which lanes have to be counted again. Every server writes down the lanes its calls touched, twice a second and in one row, and so
-- do routines that others call. Whoever counts takes the rows it has read with it. A lane that is told twice is only counted twice.
-- queue_names: queues of which more happened than can be told lane by lane; all their lanes are gone through.
create table queen.touched_lanes (
    number          bigint      generated always as identity primary key,
    partition_ids   uuid[]      not null,
    queue_names     text[]      not null default '{}'
);

-- What lanes add to the sums is more than it was, so everything is counted anew. turn has no default on purpose: a release that
-- does not know the new columns would take out of the sums what it did not put in. It goes on showing them, and cannot count.
-- turn:       of the counting that wrote the row.
-- group_dues: when the oldest unread message of each group was due, or will be, in steps of 100 ms; null where nothing is unread.
-- oldest_at:  now the first of these.
-- recheck_at: something may be different by then though nobody touches the lane: a lease runs out.
truncate queen.lane_depth, queen.group_depth;
update queen.queue_depth
set partitions = 0, total = 0, pending = 0, processing = 0, revision = -1, recount_after = null, recount_again = false;
alter table queen.lane_depth
    add column turn bigint not null,
    add column group_dues timestamptz[] not null,
    add column recheck_at timestamptz;
create index lane_depth_recheck_at_idx on queen.lane_depth (recheck_at) where recheck_at is not null;

-- recount_since: since when it is known that the sums are wrong until all lanes were counted; null when they are right, or when the
-- lanes are gone through just in case.
alter table queen.queue_depth
    add column recount_since timestamptz;
create index queue_depth_recount_since_idx on queen.queue_depth (recount_since) where recount_since is not null;

-- Of every group that has a cursor in a lane of the queue or is subscribed to it, whether or not it has come to a lane.
-- oldest_at: now from when on the oldest unread message was due; in the future when nothing is due yet. oldest_seen is not used any more.
-- since:     the turn in which the row was made. What a lane was counted for before belongs to a group of that name that was deleted.
alter table queen.group_depth
    add column since bigint not null default 0;

-- In how many lanes the oldest unread message of a group was due at a moment. Sums like the others, so that the oldest one of all is
-- found at once, however many lanes there are.
create table queen.group_age (
    queue_id        uuid        not null,
    group_name      text        not null,
    due_at          timestamptz not null,
    lanes           bigint      not null,
    primary key (queue_id, group_name, due_at),
    foreign key (queue_id, group_name) references queen.group_depth on delete cascade
) with (fillfactor = 50);
create index group_age_empty_idx on queen.group_age (queue_id) where lanes = 0;

-- turn:        counts the turns.
-- computed_at: what was written down before is counted.
-- searched_at: when lanes were last looked for that nobody wrote down.
alter table queen.depth_turn
    add column turn bigint not null default 0,
    add column searched_at timestamptz not null default '-infinity';
