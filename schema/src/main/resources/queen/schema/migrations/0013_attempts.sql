-- What a delivery that finished nothing costs: every message of it one attempt, until the last one, which is made alone.
-- is_alone: the lease covers one message of one lane and nothing else, so that whatever becomes of it is that message's own doing.
alter table queen.cursor
    add column is_alone boolean not null default false;

-- A row speaks of a run of messages that failed alike: those from message_offset on that are not finished. Runs of a cursor do not overlap.
alter table queen.failure
    add column message_count int not null default 1;

-- retry_backoff: what the retry delay is multiplied by after each further failure.
alter table queen.queue
    add column retry_backoff double precision not null default 1;
