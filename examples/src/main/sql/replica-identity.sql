-- For a database with wal_level = logical that publishes none of Queen's tables.
-- snippet: sql-replica-identity
do $$
declare
    shard text;
begin
    for shard in select name from queen.shard loop
        execute format('alter table %I.partition replica identity nothing', shard);
        execute format('alter table %I.cursor replica identity nothing', shard);
    end loop;
end
$$;
-- end
