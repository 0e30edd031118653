-- Sums over partitions must not have foreign keys.
--
-- A transaction that updates a row twice checks its foreign keys with the second update, and so locks the row of the queue. Counting did
-- that while a deletion of the queue had locked the queue and waited for the sums: a deadlock. Counting deletes the sums of deleted queues
-- instead.
alter table :shard.queue_depth drop constraint queue_depth_queue_id_fkey;

-- Counting deletes empty ages by their keys. The entries of this index were dead as soon as they were written, and a long transaction kept
-- all of them.
drop index :shard.group_age_empty_idx;

-- Frequently updated rows have a generation, as partitions and cursors do: the newest version is found at once while a long transaction
-- keeps the old ones. The unique index had to read all of them for every new version; only one session counts at a time, so it is not
-- needed. Servers of an older build cannot count on this table, and leave it to newer ones.
alter table :shard.partition_depth
    add column writes           bigint      not null default 0,
    add column generation       bigint      not null default 0;
create index partition_depth_generation_idx on :shard.partition_depth (partition_id, generation);
alter table :shard.partition_depth drop constraint partition_depth_pkey;
alter table :shard.partition_depth replica identity full;

-- rechecked_to:  no counted partition has a recheck_at up to this time.
-- touched_from:  the first number of touched_partitions that a turn reads: a thousand before the last deleted one. A search reads all of
--                them, because a transaction with a smaller number may commit later.
alter table :shard.depth_turn
    add column rechecked_to     timestamptz not null default '-infinity',
    add column touched_from     bigint      not null default 0,
    add column writes           bigint      not null default 0,
    add column generation       bigint      not null default 0;
create index depth_turn_generation_idx on :shard.depth_turn (generation);
