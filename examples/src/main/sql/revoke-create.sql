-- The server needs this privilege for installations only.
-- snippet: sql-revoke-create
revoke create on database queen from queen;
-- end
