-- Options and numbers that upkeep needs.
-- dedup_window_s: how long transactionIds are remembered; null: as long as the server's setting says.
-- lane_floor:     the first offset of lanes created from now on. It is past every lane of the queue that was ever deleted,
--                 so that no offset of a lane is used twice, though the lane comes and goes.
-- expired_count:  messages the group never finished, because they grew too old.
alter table queen.queue
    add column dedup_window_s int,
    add column lane_floor bigint not null default 0;
alter table queen.cursor
    add column expired_count bigint not null default 0;

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
insert into queen.queue_size (queue_id) select id from queen.queue where max_size > 0;

-- When a lane has to be looked at next.
-- retention, eviction: the moment its oldest message may have grown too old.
-- idle:                since when nothing happens in it; it is empty.
create table queen.lane_upkeep (
    partition_id    uuid        not null,
    kind            text        not null,
    queue_id        uuid        not null,
    due_at          timestamptz not null,
    primary key (partition_id, kind),
    constraint lane_upkeep_kind_is_known check (kind in ('retention', 'eviction', 'idle'))
);
create index lane_upkeep_kind_due_at_idx on queen.lane_upkeep (kind, due_at);
create index lane_upkeep_queue_id_idx on queen.lane_upkeep (queue_id);

-- Which lanes of a queue have their row in lane_upkeep.
-- ages:       the seconds the due times were computed with; when the queue has others now, all its lanes get new ones.
-- swept_to:   the name up to which that was done; null when all of it is.
-- seen_until: lanes pushed to before this moment have their row.
create table queen.queue_upkeep (
    queue_id        uuid        not null,
    kind            text        not null,
    ages            int[]       not null,
    swept_to        text,
    seen_until      timestamptz not null,
    primary key (queue_id, kind)
);

-- What went, by minute: messages, and lanes. completed_retention: those every group had finished; eviction: once for each group.
-- No foreign key, here and above: whoever writes it holds lanes, and must not wait for a queue that is being deleted.
create table queen.retention_minute (
    at                  timestamptz not null,
    queue_id            uuid        not null,
    retention           bigint      not null default 0,
    completed_retention bigint      not null default 0,
    eviction            bigint      not null default 0,
    lanes_deleted       bigint      not null default 0,
    primary key (at, queue_id)
);
create index retention_minute_queue_id_idx on queen.retention_minute (queue_id);

-- Tables whose rows go when they are METRICS_RETENTION_DAYS old. Whoever adds such a table adds a row here.
create table queen.roll_off (
    table_name      text primary key,
    time_column     text not null
);
insert into queen.roll_off (table_name, time_column) values ('queen.retention_minute', 'at');

create index lease_lanes_created_at_idx on queen.lease_lanes (created_at);
create index subscription_queue_name_idx on queen.subscription (queue_name);

-- Whoever reads a queue is subscribed to it; those who name no group were not on record so far.
insert into queen.subscription (group_name, queue_name, namespace, task, mode)
select distinct c.group_name, q.name, '', '', 'all'
from queen.cursor c
join queen.partition p on p.id = c.partition_id
join queen.queue q on q.id = p.queue_id
where c.group_name = '__QUEUE_MODE__';
