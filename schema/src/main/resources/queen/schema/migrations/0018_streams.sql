-- A stream query: a chain of operators that a runner carries out over the lanes of a queue.
-- config_hash: the fingerprint of the chain; another one under the same name is refused unless the state is given up.
-- state_id:    what the rows of its state are filed under; a reset takes another one, and the old rows are swept later.
create table queen.stream_query (
    id              uuid        primary key default gen_random_uuid(),
    name            text        not null,
    source_queue    text        not null,
    sink_queue      text,
    config_hash     text        not null,
    state_id        uuid        not null default gen_random_uuid(),
    created_at      timestamptz not null default clock_timestamp(),
    reset_at        timestamptz,
    constraint stream_query_name_is_unique unique (name)
);

-- What a query has done in a lane. Whoever changes the state of the lane holds this row, so that a cycle sees the one before it.
-- partition_name: as in queen.partition, so that lanes are gone through by name.
-- group_name:   the group that the last cycle spoke for.
-- state_*:      rows and bytes of state, counted as they change.
-- tokens:       the last cycles that took effect, newest first: one that comes again is recognised.
-- offers:       when state was read without a lease, oldest first; only those moments that a flush is judged by. offer_bounds: the
--               latest window_end that was read at each of them, '-infinity' where no row had one.
create table queen.stream_lane (
    query_id        uuid                not null,
    partition_id    uuid                not null,
    partition_name  text                not null,
    group_name      text,
    state_rows      bigint              not null default 0,
    state_bytes     bigint              not null default 0,
    cycles          bigint              not null default 0,
    flushes         bigint              not null default 0,
    messages        bigint              not null default 0,
    emitted         bigint              not null default 0,
    last_cycle_at   timestamptz,
    tokens          uuid[]              not null default '{}',
    offers          timestamptz[]       not null default '{}',
    offer_bounds    double precision[]  not null default '{}',
    primary key (query_id, partition_id)
) with (fillfactor = 50);
create index stream_lane_partition_id_idx on queen.stream_lane (partition_id);
create index stream_lane_query_id_partition_name_idx on queen.stream_lane (query_id, partition_name);

-- What a query has done and has in all its lanes: the sum of its rows. Whoever adds to it takes one that nobody else holds at that
-- moment, or makes another one, so that cycles of different lanes do not wait for each other.
create table queen.stream_count (
    id              bigint      generated always as identity primary key,
    query_id        uuid        not null,
    lanes           bigint      not null,
    state_rows      bigint      not null,
    state_bytes     bigint      not null,
    cycles          bigint      not null,
    flushes         bigint      not null,
    messages        bigint      not null,
    emitted         bigint      not null,
    last_cycle_at   timestamptz
) with (fillfactor = 50);
create index stream_count_query_id_idx on queen.stream_count (query_id);

-- The state of a query in a lane, one row per key, changed in place.
-- value:      JSON as it was sent, or encrypted when is_sealed.
-- window_end: the number value.windowEnd, where there is one. Mostly the same for as long as the row lives, so that writing the row
--             again is a heap-only update.
create table queen.stream_state (
    state_id        uuid                not null,
    partition_id    uuid                not null,
    key             text collate "C"    not null,
    value           bytea               not null,
    is_sealed       boolean             not null,
    window_end      double precision,
    updated_at      timestamptz         not null,
    primary key (state_id, partition_id, key)
) with (fillfactor = 70);
create index stream_state_window_end_idx on queen.stream_state (state_id, partition_id, window_end) where window_end is not null;

-- State that a reset or a deletion left behind, to be removed little by little.
create table queen.stream_garbage (
    state_id        uuid        primary key,
    created_at      timestamptz not null default clock_timestamp()
);

-- kept_lease_id: a lease whose holder said that it waits on purpose; when that one runs out, nobody is charged.
alter table queen.cursor add column kept_lease_id uuid;
