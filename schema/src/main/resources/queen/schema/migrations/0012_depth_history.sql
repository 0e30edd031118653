-- The maximum number of unfinished messages of a queue in each minute and hour, with a precision of a tenth. Null in rows of earlier
-- releases, which write only rows of queues with due messages.
alter table queen.lag_bucket add column depth bigint;
