-- The time at which each message of a segment was accepted, where the messages come from a spool; null where they were accepted when
-- they were stored, which is created_at. A message is a duplicate by the times of acceptance, not by the times of storage.
alter table :shard.segment add column accepted_at timestamptz[];
