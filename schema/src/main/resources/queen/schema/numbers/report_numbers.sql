create function :api.report_numbers(
    server_id uuid, hostname text, port int, worker_id text, pid bigint, up_ms bigint, report bigint, age_ms bigint,
    queue_ids uuid[], push_requests bigint[], push_messages bigint[], pop_requests bigint[], pop_messages bigint[],
    pop_empty bigint[], ack_requests bigint[], ack_success bigint[], ack_failed bigint[], transactions bigint[],
    partitions_created bigint[], lag_sums_ms bigint[], lag_maxs_ms bigint[], waiting_pops bigint[],
    server_counts bigint[], refused_queue_ids uuid[], refused_reasons text[], refused_counts bigint[],
    gauge_names text[], samples bigint[], sums float8[], mins float8[], maxs float8[], lasts float8[])
returns boolean
language plpgsql volatile
set search_path = queen, pg_temp
as $$
-- Promise:  adds the counts of a server to the buckets of the minute and hour in which they were counted, and to the totals, once: a
--           repeated report has no effect. Dead letters are counted by the database, because some are not caused by a server: those
--           recorded since the last report of any server are added to this one. The server counts as a user of this routine set.
-- Params:   the server; report: 1, 2, 3…; age_ms: how long ago the server began to count this report. Then arrays of equal length, one
--           element per queue, each queue once; server_counts: in the order of the columns of queen.server_bucket, without dead_letters;
--           then arrays of equal length, one element per queue and reason of refused pushes; then arrays of equal length, one element per
--           gauge.
-- Returns:  whether the report was new.
-- Locks:    the queen.server row; what add_dead_letters locks, shard by shard; queen.queue_bucket rows of this server only;
--           queen.queue_lifetime rows, ascending by queue_id; what add_refusals locks; queen.lifetime; then what record_lag and
--           choose_routines lock.
-- Writes:   queen.server, queen.queue_bucket, queen.server_bucket, queen.server_gauge, queen.queue_lifetime, queen.lifetime, and what the four write
#variable_conflict use_column
declare
    now         timestamptz := clock_timestamp();
    counted_at  timestamptz := now - make_interval(secs => age_ms / 1000.0);
    s           bigint[] := server_counts;
    dead_queues uuid[];
    died        bigint[];
    all_died    bigint;
    shard       text;
    dead        record;
begin
    insert into queen.server as x (id, hostname, port, worker_id, pid, started_at, seen_at, report, routine_set)
    values (report_numbers.server_id, report_numbers.hostname, report_numbers.port, report_numbers.worker_id,
            report_numbers.pid, now - make_interval(secs => up_ms / 1000.0), now, report_numbers.report, ':api')
    on conflict (id) do update set seen_at = excluded.seen_at, report = excluded.report, routine_set = excluded.routine_set
    where x.report < excluded.report;
    if not found then
        return false;
    end if;

    foreach shard in array :api.shards() loop
        perform :api.select_shard(shard);
        select array_agg(d.queue_id) as queues, array_agg(d.died) as died into dead from :api.add_dead_letters(10000) d;
        dead_queues := dead_queues || dead.queues;
        died := died || dead.died;
    end loop;
    all_died := (select coalesce(sum(d), 0) from unnest(died) d);
    -- record_lag reads the sums of all shards.
    perform :api.select_shard('queen');

    insert into queen.queue_bucket as b (
        queue_id, minutes, at, server_id, push_requests, push_messages, pop_requests, pop_messages, pop_empty, ack_requests,
        ack_success, ack_failed, transactions, partitions_created, lag_sum_ms, lag_max_ms, waiting_pops, dead_letters)
    select q.queue_id, w.minutes, date_bin(make_interval(mins => w.minutes), counted_at, 'epoch'), report_numbers.server_id,
           sum(q.c1), sum(q.c2), sum(q.c3), sum(q.c4), sum(q.c5), sum(q.c6), sum(q.c7), sum(q.c8), sum(q.c9), sum(q.c10),
           sum(q.c11), max(q.c12), max(q.c13), sum(q.died)
    from (
        select c.*, 0 as died
        from unnest(queue_ids, push_requests, push_messages, pop_requests, pop_messages, pop_empty, ack_requests, ack_success,
                    ack_failed, transactions, partitions_created, lag_sums_ms, lag_maxs_ms, waiting_pops)
             as c (queue_id, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13)
        union all
        select d.queue_id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, d.died
        from unnest(dead_queues, died) as d (queue_id, died)
    ) q
    cross join (values (1), (60)) as w (minutes)
    group by q.queue_id, w.minutes
    order by q.queue_id, w.minutes
    on conflict (queue_id, minutes, at, server_id) do update
    set push_requests = b.push_requests + excluded.push_requests,
        push_messages = b.push_messages + excluded.push_messages,
        pop_requests = b.pop_requests + excluded.pop_requests,
        pop_messages = b.pop_messages + excluded.pop_messages,
        pop_empty = b.pop_empty + excluded.pop_empty,
        ack_requests = b.ack_requests + excluded.ack_requests,
        ack_success = b.ack_success + excluded.ack_success,
        ack_failed = b.ack_failed + excluded.ack_failed,
        transactions = b.transactions + excluded.transactions,
        dead_letters = b.dead_letters + excluded.dead_letters,
        partitions_created = b.partitions_created + excluded.partitions_created,
        lag_sum_ms = b.lag_sum_ms + excluded.lag_sum_ms,
        lag_max_ms = greatest(b.lag_max_ms, excluded.lag_max_ms),
        waiting_pops = greatest(b.waiting_pops, excluded.waiting_pops);

    insert into queen.server_bucket as b (
        server_id, minutes, at, push_requests, push_messages, pop_requests, pop_messages, pop_empty, ack_requests, ack_success,
        ack_failed, transactions, partitions_created, lag_sum_ms, lag_max_ms, calls, db_errors, dead_letters)
    select report_numbers.server_id, w.minutes, date_bin(make_interval(mins => w.minutes), counted_at, 'epoch'),
           s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13], s[14], all_died
    from (values (1), (60)) as w (minutes)
    on conflict (server_id, minutes, at) do update
    set push_requests = b.push_requests + excluded.push_requests,
        push_messages = b.push_messages + excluded.push_messages,
        pop_requests = b.pop_requests + excluded.pop_requests,
        pop_messages = b.pop_messages + excluded.pop_messages,
        pop_empty = b.pop_empty + excluded.pop_empty,
        ack_requests = b.ack_requests + excluded.ack_requests,
        ack_success = b.ack_success + excluded.ack_success,
        ack_failed = b.ack_failed + excluded.ack_failed,
        transactions = b.transactions + excluded.transactions,
        dead_letters = b.dead_letters + excluded.dead_letters,
        partitions_created = b.partitions_created + excluded.partitions_created,
        lag_sum_ms = b.lag_sum_ms + excluded.lag_sum_ms,
        lag_max_ms = greatest(b.lag_max_ms, excluded.lag_max_ms),
        calls = b.calls + excluded.calls,
        db_errors = b.db_errors + excluded.db_errors;

    insert into queen.server_gauge as g
    select report_numbers.server_id, w.minutes, date_bin(make_interval(mins => w.minutes), counted_at, 'epoch'), n.name,
           n.samples, n.sum, n.min, n.max, n.last
    from unnest(gauge_names, samples, sums, mins, maxs, lasts) as n (name, samples, sum, min, max, last)
    cross join (values (1), (60)) as w (minutes)
    on conflict (server_id, minutes, at, name) do update
    set samples = g.samples + excluded.samples,
        sum = g.sum + excluded.sum,
        min = least(g.min, excluded.min),
        max = greatest(g.max, excluded.max),
        last = excluded.last;

    insert into queen.queue_lifetime as l (
        queue_id, push_requests, push_messages, pop_messages, ack_success, ack_failed, dead_letters)
    select q.queue_id, sum(q.c1), sum(q.c2), sum(q.c3), sum(q.c4), sum(q.c5), sum(q.died)
    from (
        select c.*, 0 as died
        from unnest(queue_ids, push_requests, push_messages, pop_messages, ack_success, ack_failed)
             as c (queue_id, c1, c2, c3, c4, c5)
        union all
        select d.queue_id, 0, 0, 0, 0, 0, d.died from unnest(dead_queues, died) as d (queue_id, died)
    ) q
    group by q.queue_id
    order by q.queue_id
    on conflict (queue_id) do update
    set push_requests = l.push_requests + excluded.push_requests,
        push_messages = l.push_messages + excluded.push_messages,
        pop_messages = l.pop_messages + excluded.pop_messages,
        ack_success = l.ack_success + excluded.ack_success,
        ack_failed = l.ack_failed + excluded.ack_failed,
        dead_letters = l.dead_letters + excluded.dead_letters;

    perform :api.add_refusals(date_bin('1 minute', counted_at, 'epoch'), refused_queue_ids, refused_reasons, refused_counts);

    update queen.lifetime l
    set push_requests = l.push_requests + s[1],
        push_messages = l.push_messages + s[2],
        pop_requests = l.pop_requests + s[3],
        pop_messages = l.pop_messages + s[4],
        ack_requests = l.ack_requests + s[6],
        ack_success = l.ack_success + s[7],
        ack_failed = l.ack_failed + s[8],
        transactions = l.transactions + s[9],
        dead_letters = l.dead_letters + all_died,
        db_errors = l.db_errors + s[14];
    perform :api.record_lag();
    perform :api.choose_routines();
    return true;
end
$$;
