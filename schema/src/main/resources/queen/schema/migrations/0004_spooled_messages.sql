-- The time at which each message of a segment was accepted, for messages from a spool; null if they were accepted when they were stored, at
-- created_at. Deduplication compares times of acceptance, not of storage.
alter table :shard.segment add column accepted_at timestamptz[];
