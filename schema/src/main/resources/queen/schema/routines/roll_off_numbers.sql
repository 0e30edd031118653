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
-- Writes:   queen.queue_bucket, queen.server_bucket, queen.server_gauge, queen.lag_bucket, queen.presence, queen.server, queen.queue_lifetime, dead_letter_sum, queen.refusal_sum, queen.cluster_member
#variable_conflict use_column
declare
    hour_ago timestamptz := clock_timestamp() - interval '1 hour';
    before  timestamptz := clock_timestamp() - make_interval(days => keep_days);
    name    text;
    removed bigint;
    total   bigint := 0;
begin
    foreach name in array array['queue_bucket', 'server_bucket', 'server_gauge', 'lag_bucket'] loop
        execute format('delete from queen.%1$I where ctid = any (array(select o.ctid from queen.%1$I o '
                       'where o.minutes = any (array[1, 60]) and o.at < $1 order by o.minutes, o.at limit $2))', name)
        using before, rows_max;
        get diagnostics removed = row_count;
        total := total + removed;
    end loop;

    delete from queen.presence p where p.seen_at < before;
    get diagnostics removed = row_count;
    total := total + removed;

    delete from queen.server s where s.seen_at < before;
    get diagnostics removed = row_count;
    total := total + removed;

    -- In the order in which reports write them.
    foreach name in array array['dead_letter_sum', 'queen.queue_lifetime', 'queen.refusal_sum'] loop
        execute format('delete from %1$s where queue_id = any (array(select o.queue_id from %1$s o '
                       'where not exists (select 1 from queen.queue q where q.id = o.queue_id) limit $1))', name)
        using rows_max;
        get diagnostics removed = row_count;
        total := total + removed;
    end loop;

    -- A member lives if a server of its name that was started before the row was written still reports.
    delete from queen.cluster_member m
    where m.since < hour_ago
      and not exists (
          select 1 from queen.server s
          where s.hostname || ':' || s.worker_id = m.name
            and s.started_at < m.since + interval '5 seconds'
            and s.seen_at > hour_ago);
    get diagnostics removed = row_count;
    return total + removed;
end
$$;
