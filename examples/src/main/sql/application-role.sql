-- A role of an application that pushes in its own transactions.
-- snippet: sql-application-role
create role shop login password 'change-me';
grant connect on database queen to shop;
-- end
