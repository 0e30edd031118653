-- What operators change besides options.
-- revision grows with every change made to what is in the queue, not to the queue itself: servers that see another one
-- forget what they believe about its lanes.
-- is_paused: nothing is handed out, to nobody.
alter table queen.queue
    add column revision bigint not null default 0,
    add column is_paused boolean not null default false;

-- Who changed what, when, and from what to what.
create table queen.audit (
    id      bigint      generated always as identity primary key,
    at      timestamptz not null default clock_timestamp(),
    actor   text        not null,
    action  text        not null,
    target  text        not null,
    before  jsonb,
    after   jsonb
);
create index audit_at_idx on queen.audit (at);
