create function :api.count_failures(
    partition_ids uuid[], group_names text[], message_offsets bigint[], statuses text[], errors text[], is_delayed boolean)
returns table (index int, attempts int, is_spent boolean)
language plpgsql volatile
as $$
-- Promise:  counts messages that were delivered and not finished. failed: one more failed delivery; dlq: likewise, and it was the
--           last; retry: nothing is counted. With is_delayed a failed message is due again after the queue's retry delay,
--           multiplied by its retry backoff for every failure before, for at most a quarter of an hour (or the retry delay itself
--           where that is longer). Messages in a row that failed alike are kept as one run.
-- Params:   arrays of equal length, each message once; the caller holds the cursors' row locks.
-- Returns:  one row per message; is_spent: it has no attempt left after 1 + retry_limit of them.
-- Locks:    none of its own.
-- Writes:   failure, cursor (is_failing)
#variable_conflict use_column
declare
    at      timestamptz := clock_timestamp();
    known   failure[];
    tries   int[];
    retry_limits    int[];
    retry_delays    int[];
    retry_backoffs  double precision[];
    run_lanes       uuid[];
    run_groups      text[];
    run_offsets     bigint[];
    run_counts      int[];
    run_attempts    int[];
    run_errors      text[];
    run_retries     timestamptz[];
    run_ats         timestamptz[];
begin
    select array_agg(q.retry_limit order by i.index), array_agg(q.retry_delay_ms order by i.index),
           array_agg(q.retry_backoff order by i.index)
    into retry_limits, retry_delays, retry_backoffs
    from unnest(partition_ids) with ordinality as i (partition_id, index)
    left join lateral (select v.queue_id from partition v where v.id = i.partition_id order by v.generation desc limit 1) p on true
    left join queue q on q.id = any (array[p.queue_id]);

    update cursor c
    set is_failing = true,
        :written(c)
    from (
        select distinct i.partition_id, i.group_name
        from unnest(partition_ids, group_names, statuses) as i (partition_id, group_name, status)
        where i.status = 'failed'
    ) i
    cross join lateral (
        select v.ctid as tid, v.is_failing from cursor v
        where v.partition_id = i.partition_id and v.group_name = i.group_name
        order by v.generation desc limit 1
    ) n
    where c.ctid = n.tid
      and not n.is_failing;

    -- Runs that are cut by what comes now are taken out, and put back in pieces.
    with reach as (
        select i.partition_id, i.group_name, min(i.message_offset) as first, max(i.message_offset) as last
        from unnest(partition_ids, group_names, message_offsets) as i (partition_id, group_name, message_offset)
        group by i.partition_id, i.group_name
    ), gone as (
        delete from failure x
        using reach r
        where x.partition_id = any (array[r.partition_id])
          and x.group_name = r.group_name
          and x.message_offset <= r.last
          and x.message_offset + x.message_count > r.first
        returning x as run
    )
    select array_agg(g.run) into known from gone g;

    select array_agg(coalesce(k.attempts, 0) + case when i.status = 'retry' then 0 else 1 end order by i.index)
    into tries
    from unnest(partition_ids, group_names, message_offsets, statuses)
         with ordinality as i (partition_id, group_name, message_offset, status, index)
    left join (
        select k.partition_id, k.group_name, k.message_offset + o as message_offset, k.attempts
        from unnest(known) k
        cross join lateral generate_series(0, k.message_count - 1) o
    ) k using (partition_id, group_name, message_offset);

    with charged as (
        select i.partition_id, i.group_name, i.message_offset, i.attempts, i.error, at as failed_at,
               case when is_delayed and i.retry_delay_ms > 0 then at + interval '1 ms' * least(
                   -- So many factors of any size are more than a quarter of an hour, and no number overflows.
                   i.retry_delay_ms * power(i.retry_backoff, least(i.attempts - 1, 200)),
                   greatest(i.retry_delay_ms, 900000)) end as retry_at
        from unnest(partition_ids, group_names, message_offsets, statuses, errors, tries, retry_delays, retry_backoffs)
             as i (partition_id, group_name, message_offset, status, error, attempts, retry_delay_ms, retry_backoff)
        where i.status = 'failed'
    ), either as (
        select c.* from charged c
        union all
        select k.partition_id, k.group_name, k.message_offset + o, k.attempts, k.error, k.failed_at, k.retry_at
        from unnest(known) k
        cross join lateral (
            select v.committed, v.acked from cursor v
            where v.partition_id = k.partition_id and v.group_name = k.group_name
            order by v.generation desc limit 1
        ) n
        cross join lateral generate_series(0, k.message_count - 1) o
        where k.message_offset + o >= n.committed
          and not coalesce(n.acked @> (k.message_offset + o), false)
          and not exists (
            select 1 from charged c where c.partition_id = k.partition_id and c.group_name = k.group_name
            and c.message_offset = k.message_offset + o)
    ), placed as (
        select e.*, e.message_offset - row_number() over (
                   partition by e.partition_id, e.group_name, e.attempts, e.error, e.retry_at, e.failed_at
                   order by e.message_offset) as run
        from either e
    ), runs as (
        select p.partition_id, p.group_name, min(p.message_offset) as message_offset, count(*)::int as message_count,
               p.attempts, p.error, p.retry_at, p.failed_at
        from placed p
        group by p.partition_id, p.group_name, p.attempts, p.error, p.retry_at, p.failed_at, p.run
    )
    select array_agg(r.partition_id), array_agg(r.group_name), array_agg(r.message_offset), array_agg(r.message_count),
           array_agg(r.attempts), array_agg(r.error), array_agg(r.retry_at), array_agg(r.failed_at)
    into run_lanes, run_groups, run_offsets, run_counts, run_attempts, run_errors, run_retries, run_ats
    from runs r;
    insert into failure (partition_id, group_name, message_offset, message_count, attempts, error, retry_at, failed_at)
    select r.*
    from unnest(run_lanes, run_groups, run_offsets, run_counts, run_attempts, run_errors, run_retries, run_ats) r
    -- A table of the shard tells Citus where to insert.
    cross join (select 1 from depth_turn) t;

    return query
    select i.index::int, i.attempts, i.status = 'dlq' or i.status = 'failed' and i.attempts > i.retry_limit
    from unnest(statuses, tries, retry_limits) with ordinality as i (status, attempts, retry_limit, index);
end
$$;
