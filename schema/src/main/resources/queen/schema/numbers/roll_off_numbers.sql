create function :api.roll_off_numbers(keep_days int, rows_max int)
returns bigint
language plpgsql volatile
as $$
-- Promise:  removes buckets and gauges older than keep_days, servers without a report for as long, totals of deleted queues, and cluster
--           members whose servers were killed at least an hour ago: nothing else removes those after a change of the cluster secret.
--           Removes about rows_max rows of each table, oldest first; rows of one time are removed together. Call again while it returns
--           more than 0.
-- Params:   keep_days: the days to keep; rows_max: about how many rows to remove of one table.
-- Returns:  the number of removed rows.
-- Locks:    the rows it removes, which no server writes any more.
-- Writes:   queen.queue_bucket, queen.server_bucket, queen.server_gauge, queen.lag_bucket, queen.presence, queen.server, queen.queue_lifetime, dead_letter_sum, queen.refusal_sum, queen.cluster_member
#variable_conflict use_column
declare
    before      timestamptz := clock_timestamp() - make_interval(days => keep_days);
    recent      timestamptz := clock_timestamp() - interval '1 hour';
    until       timestamptz;
    left_over   text[];
    name        text;
    removed     bigint;
    total       bigint := 0;
begin
    foreach name in array array['queue_bucket', 'server_bucket', 'server_gauge', 'lag_bucket'] loop
        -- By time, because a row of a distributed table has a different ctid on each node.
        execute format('select max(o.at) from (select o.at from queen.%1$I o where o.minutes = any (array[1, 60]) and o.at < $1 '
                       'order by o.at limit $2) o', name)
        into until using before, rows_max;
        continue when until is null;
        execute format('delete from queen.%1$I o where o.minutes = any (array[1, 60]) and o.at <= $1', name) using until;
        get diagnostics removed = row_count;
        total := total + removed;
    end loop;

    if exists (select 1 from queen.presence p where p.seen_at < before) then
        delete from queen.presence p where p.seen_at < before;
        get diagnostics removed = row_count;
        total := total + removed;
    end if;

    if exists (select 1 from queen.server s where s.seen_at < before) then
        delete from queen.server s where s.seen_at < before;
        get diagnostics removed = row_count;
        total := total + removed;
    end if;

    -- In the lock order of reports.
    foreach name in array array['dead_letter_sum', 'queen.queue_lifetime', 'queen.refusal_sum'] loop
        execute format('delete from %1$s where queue_id = any (array(select o.queue_id from %1$s o '
                       'where not exists (select 1 from queen.queue q where q.id = o.queue_id) limit $1))', name)
        using rows_max;
        get diagnostics removed = row_count;
        total := total + removed;
    end loop;

    -- A member is alive if a server with its name, started before the row was written, still reports.
    left_over := array(
        select m.address
        from queen.cluster_member m
        where m.since < recent
          and not exists (
              select 1 from queen.server s
              where s.hostname || ':' || s.worker_id = m.name
                and s.started_at - interval '5 seconds' < m.since
                and s.seen_at > recent));
    if cardinality(left_over) > 0 then
        delete from queen.cluster_member m where m.address = any (left_over);
    end if;
    return total + cardinality(left_over);
end
$$;
