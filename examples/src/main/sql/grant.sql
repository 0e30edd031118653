-- All that a program needs to push and acknowledge.
-- snippet: sql-grant
grant usage on schema queen to shop;
-- end
