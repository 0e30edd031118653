-- Operations of operators on all partitions of a queue. An operation is recorded in one small transaction, and pages of partitions are
-- processed in separate transactions, by the server that received the request and by upkeep: a crash delays an operation and does not undo
-- it.
-- kind:           clear, seek, subscribe, delete_group or delete_queue.
-- request_id:     the same for the operations of one request, which may concern several queues.
-- queue_id:       for delete_queue: a queue that does not exist any more.
-- group_name:     for seek, subscribe and delete_group.
-- partition_name: only this partition; null for all.
-- details:        the parts of the response to the request other than the counts.
-- marked_at:      messages stored before this time are cleared or skipped, cursors created before it are deleted.
-- shard:          the number of the present shard; the shards before it are done.
-- after_name:     the partitions of that shard up to this name are done.
-- processed:      the number of processed partitions. changed: the number of changed partitions or cursors. messages: the number of removed
--                 messages.
-- estimate:       the number of partitions of the queue when the operation began, as last counted; null if not counted.
-- status:         superseded: a later operation includes this one.
create table queen.operation (
    id              uuid        primary key,
    request_id      uuid        not null,
    kind            text        not null,
    actor           text,
    queue_id        uuid        not null,
    queue_name      text        not null,
    group_name      text,
    partition_name  text,
    details         jsonb       not null default '{}',
    marked_at       timestamptz not null,
    shard           int         not null default 0,
    after_name      text        not null default '',
    processed       bigint      not null default 0,
    changed         bigint      not null default 0,
    messages        bigint      not null default 0,
    estimate        bigint,
    status          text        not null default 'running',
    finished_at     timestamptz,
    constraint operation_kind_is_known check (kind in ('clear', 'seek', 'subscribe', 'delete_group', 'delete_queue')),
    constraint operation_status_is_known check (status in ('running', 'finished', 'superseded'))
);

-- Operations in the order in which they are continued.
create index operation_running_idx on queen.operation (marked_at) where status = 'running';

-- A queue is deleted at once and its partitions later, so they refer to a queue that does not exist meanwhile.
do $$
declare
    shard record;
begin
    for shard in select s.name from queen.shard s order by s.number loop
        execute format('alter table %I.partition drop constraint if exists partition_queue_id_fkey', shard.name);
    end loop;
end
$$;
