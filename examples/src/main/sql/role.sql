-- The role of the servers. Each statement is executed by a superuser in the database queen.
-- snippet: sql-role
create role queen login password 'change-me' connection limit 80;
revoke all on database queen from public;
revoke all on schema public from public;
grant connect, create on database queen to queen;
-- end
