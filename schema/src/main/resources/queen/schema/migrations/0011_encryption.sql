-- Whether encrypted messages are bound to their positions (queue, partition and offset). Releases before this column cannot decrypt such
-- messages, so it is set when all servers can, and older releases are then rejected (see bind_messages).
alter table queen.system_state add column binds_messages boolean not null default false;

-- sealed_errors: the forms in which the error of the filter may be stored encrypted; null without an error in the filter.
alter table queen.redrive add column sealed_errors text[];

-- Queues that are or were encrypted, one row per shard: upkeep searches them for encrypted messages, also after encryption was switched
-- off.
-- checked_at:  partitions with pushes before this time were checked.
-- letters_key: dead letters that failed before letters_to were re-encrypted with this key, or are counted in key_cover.
create table queen.key_queue (
    queue_id        uuid        not null,
    shard           text        not null,
    checked_at      timestamptz not null default '-infinity',
    letters_key     text,
    letters_to      timestamptz not null default '-infinity',
    primary key (queue_id, shard)
);

-- The keys that the messages of a partition are encrypted with: runs of offsets, as read by upkeep. Offsets after the last run are not read
-- yet. Retention does not change runs; the part below the tail does not count.
-- key_id:   empty for clear text.
-- is_bound: whether the messages are bound to their offsets.
create table queen.key_run (
    partition_id    uuid        not null,
    first_offset    bigint      not null,
    end_offset      bigint      not null,
    queue_id        uuid        not null,
    key_id          text        not null,
    is_bound        boolean     not null,
    bytes           bigint      not null,
    primary key (partition_id, first_offset),
    constraint key_run_is_not_empty check (first_offset < end_offset)
);

-- The number of messages by key, as last counted.
-- kind:   message, unchecked (messages that upkeep has not read yet; key_id is empty), or dead_letter or stream_state (values of stream
--         queries): only those that are not encrypted with the current key.
create table queen.key_cover (
    queue_id        uuid        not null,
    shard           text        not null,
    kind            text        not null,
    key_id          text        not null,
    is_bound        boolean     not null,
    count           bigint      not null,
    bytes           bigint      not null,
    counted_at      timestamptz not null,
    primary key (queue_id, shard, kind, key_id, is_bound),
    constraint key_cover_kind_is_known check (kind in ('message', 'unchecked', 'dead_letter', 'stream_state'))
);

-- Runs of a queue; runs of a key that is to be replaced.
create index key_run_queue_id_idx on queen.key_run (queue_id);
create index key_run_key_id_idx on queen.key_run (key_id, partition_id, first_offset);
