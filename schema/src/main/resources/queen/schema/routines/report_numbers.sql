create function :api.report_numbers(
    server_id uuid, hostname text, port int, worker_id text, pid bigint, up_ms bigint, report bigint, age_ms bigint,
    queue_ids uuid[], push_requests bigint[], push_messages bigint[], pop_requests bigint[], pop_messages bigint[],
    pop_empty bigint[], ack_requests bigint[], ack_success bigint[], ack_failed bigint[], transactions bigint[],
    dead_letters bigint[], lanes_created bigint[], lag_sums_ms bigint[], lag_maxs_ms bigint[], parked bigint[],
    server_counts bigint[], gauge_names text[], samples bigint[], sums float8[], mins float8[], maxs float8[], lasts float8[])
returns boolean
language plpgsql volatile
as $$
-- Promise:  what a server counted is added to the buckets of the minute and the hour it was counted in, and to the totals,
--           once: a report that was taken before changes nothing.
-- Params:   who reports; report: 1, 2, 3…; age_ms: how long ago the server began to count what it reports.
--           Then arrays of equal length, one element per queue, each queue once; server_counts: in the order of the columns
--           of queen.server_bucket; then arrays of equal length, one element per gauge.
-- Returns:  whether the report was new.
-- Locks:    the queen.server row; queen.queue_bucket rows of this server only; queen.queue_lifetime rows, ascending by
--           queue_id; queen.lifetime; then as record_lag does.
-- Writes:   queen.server, queen.queue_bucket, queen.server_bucket, queen.server_gauge, queen.queue_lifetime, queen.lifetime, queen.lag_bucket
#variable_conflict use_column
declare
    now         timestamptz := clock_timestamp();
    counted_at  timestamptz := now - make_interval(secs => age_ms / 1000.0);
    s           bigint[] := server_counts;
begin
    insert into queen.server as x (id, hostname, port, worker_id, pid, started_at, seen_at, report)
    values (report_numbers.server_id, report_numbers.hostname, report_numbers.port, report_numbers.worker_id,
            report_numbers.pid, now - make_interval(secs => up_ms / 1000.0), now, report_numbers.report)
    on conflict (id) do update set seen_at = excluded.seen_at, report = excluded.report where x.report < excluded.report;
    if not found then
        return false;
    end if;

    insert into queen.queue_bucket as b
    select q.queue_id, w.minutes, date_bin(make_interval(mins => w.minutes), counted_at, 'epoch'), report_numbers.server_id,
           q.c1, q.c2, q.c3, q.c4, q.c5, q.c6, q.c7, q.c8, q.c9, q.c10, q.c11, q.c12, q.c13, q.c14
    from unnest(queue_ids, push_requests, push_messages, pop_requests, pop_messages, pop_empty, ack_requests, ack_success,
                ack_failed, transactions, dead_letters, lanes_created, lag_sums_ms, lag_maxs_ms, parked)
         as q (queue_id, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14)
    cross join (values (1), (60)) as w (minutes)
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
        lanes_created = b.lanes_created + excluded.lanes_created,
        lag_sum_ms = b.lag_sum_ms + excluded.lag_sum_ms,
        lag_max_ms = greatest(b.lag_max_ms, excluded.lag_max_ms),
        parked = greatest(b.parked, excluded.parked);

    insert into queen.server_bucket as b
    select report_numbers.server_id, w.minutes, date_bin(make_interval(mins => w.minutes), counted_at, 'epoch'),
           s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15]
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
        lanes_created = b.lanes_created + excluded.lanes_created,
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

    insert into queen.queue_lifetime as l
    select q.queue_id, q.c1, q.c2, q.c3, q.c4, q.c5, q.c6
    from unnest(queue_ids, push_requests, push_messages, pop_messages, ack_success, ack_failed, dead_letters)
         as q (queue_id, c1, c2, c3, c4, c5, c6)
    order by q.queue_id
    on conflict (queue_id) do update
    set push_requests = l.push_requests + excluded.push_requests,
        push_messages = l.push_messages + excluded.push_messages,
        pop_messages = l.pop_messages + excluded.pop_messages,
        ack_success = l.ack_success + excluded.ack_success,
        ack_failed = l.ack_failed + excluded.ack_failed,
        dead_letters = l.dead_letters + excluded.dead_letters;

    update queen.lifetime l
    set push_requests = l.push_requests + s[1],
        push_messages = l.push_messages + s[2],
        pop_requests = l.pop_requests + s[3],
        pop_messages = l.pop_messages + s[4],
        ack_requests = l.ack_requests + s[6],
        ack_success = l.ack_success + s[7],
        ack_failed = l.ack_failed + s[8],
        transactions = l.transactions + s[9],
        dead_letters = l.dead_letters + s[10],
        db_errors = l.db_errors + s[15];
    perform :api.record_lag();
    return true;
end
$$;
