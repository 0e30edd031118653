create function :api.roll_off_numbers(keep_days int, rows_max int)
returns bigint
language plpgsql volatile
as $$
-- Promise:  removes buckets and gauges older than keep_days, servers nobody has heard of for as long, totals of queues that are
--           gone, and what servers that were killed an hour ago or earlier left among the members of their group, which nobody
--           else removes when the secret of the group was changed; at most rows_max rows of each table, oldest first. Call again
--           while it answers something.
-- Params:   how many days are kept; the most rows to remove of one table.
-- Returns:  how many rows were removed.
-- Locks:    the rows it removes, which no server writes any more.
-- Writes:   queen.queue_bucket, queen.server_bucket, queen.server_gauge, queen.lag_bucket, queen.presence, queen.server, queen.queue_lifetime, queen.dead_letter_sum, queen.refusal_sum, queen.cluster_member
#variable_conflict use_column
declare
    before  timestamptz := clock_timestamp() - make_interval(days => keep_days);
    removed bigint;
    total   bigint := 0;
begin
    delete from queen.queue_bucket b
    where b.ctid = any (array(
        select o.ctid from queen.queue_bucket o
        where o.minutes = any (array[1, 60]) and o.at < before
        order by o.minutes, o.at limit rows_max));
    get diagnostics removed = row_count;
    total := total + removed;

    delete from queen.server_bucket b
    where b.ctid = any (array(
        select o.ctid from queen.server_bucket o
        where o.minutes = any (array[1, 60]) and o.at < before
        order by o.minutes, o.at limit rows_max));
    get diagnostics removed = row_count;
    total := total + removed;

    delete from queen.server_gauge b
    where b.ctid = any (array(
        select o.ctid from queen.server_gauge o
        where o.minutes = any (array[1, 60]) and o.at < before
        order by o.minutes, o.at limit rows_max));
    get diagnostics removed = row_count;
    total := total + removed;

    delete from queen.lag_bucket b
    where b.ctid = any (array(
        select o.ctid from queen.lag_bucket o
        where o.minutes = any (array[1, 60]) and o.at < before
        order by o.minutes, o.at limit rows_max));
    get diagnostics removed = row_count;
    total := total + removed;

    delete from queen.presence p where p.seen_at < before;
    get diagnostics removed = row_count;
    total := total + removed;

    delete from queen.server s where s.seen_at < before;
    get diagnostics removed = row_count;
    total := total + removed;

    -- In the order in which reports write them.
    delete from queen.dead_letter_sum s
    where s.queue_id = any (array(
        select o.queue_id from queen.dead_letter_sum o
        where not exists (select from queen.queue q where q.id = o.queue_id)
        limit rows_max));
    get diagnostics removed = row_count;
    total := total + removed;

    delete from queen.queue_lifetime l
    where l.queue_id = any (array(
        select o.queue_id from queen.queue_lifetime o
        where not exists (select from queen.queue q where q.id = o.queue_id)
        limit rows_max));
    get diagnostics removed = row_count;
    total := total + removed;

    delete from queen.refusal_sum s
    where s.queue_id = any (array(
        select o.queue_id from queen.refusal_sum o
        where not exists (select from queen.queue q where q.id = o.queue_id)
        limit rows_max));
    get diagnostics removed = row_count;
    total := total + removed;

    -- A member lives if a server of its name that was started before the row was written still reports.
    delete from queen.cluster_member m
    where m.since < clock_timestamp() - interval '1 hour'
      and not exists (
          select from queen.server s
          where s.hostname || ':' || s.worker_id = m.name
            and s.started_at < m.since + interval '5 seconds'
            and s.seen_at > clock_timestamp() - interval '1 hour');
    get diagnostics removed = row_count;
    return total + removed;
end
$$;
