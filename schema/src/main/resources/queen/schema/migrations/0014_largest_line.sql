-- The largest line stored in a lane since it was last empty, in bytes: with it a lease knows without a look at the segments that so many
-- messages are not too much for one answer. Null where it is not known: in lanes that were there before, until they are empty once.
-- On no index, so that a push stays a heap-only update.
alter table queen.partition add column largest_line int;
