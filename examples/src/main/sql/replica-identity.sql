-- For a database with wal_level = logical that publishes none of Queen's tables.
-- snippet: sql-replica-identity
alter table queen_00.partition replica identity nothing;
alter table queen_00.cursor replica identity nothing;
-- end
