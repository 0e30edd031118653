-- The releases that use a database.
-- snippet: sql-releases
select worker_id, hostname, port, routine_set, seen_at from queen.server order by seen_at desc;
select number, name, applied_at, breaking, release from queen.migration order by number;
-- end
