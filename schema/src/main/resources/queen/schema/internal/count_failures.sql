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
begin
    update cursor c
    set is_failing = true,
        :written(c)
    from (
        select distinct i.partition_id, i.group_name
        from unnest(partition_ids, group_names, statuses) as i (partition_id, group_name, status)
        where i.status = 'failed'
    ) i
    cross join lateral (
        select v.ctid as tid, v.* from cursor v
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

    insert into failure (partition_id, group_name, message_offset, message_count, attempts, error, retry_at, failed_at)
    with charged as (
        select i.partition_id, i.group_name, i.message_offset, i.attempts, i.error, at as failed_at,
               case when is_delayed and q.retry_delay_ms > 0 then at + interval '1 ms' * least(
                   -- So many factors of any size are more than a quarter of an hour, and no number overflows.
                   q.retry_delay_ms * power(q.retry_backoff, least(i.attempts - 1, 200)),
                   greatest(q.retry_delay_ms, 900000)) end as retry_at
        from unnest(partition_ids, group_names, message_offsets, statuses, errors, tries)
             as i (partition_id, group_name, message_offset, status, error, attempts)
        join :api.retry_policies(partition_ids) q using (partition_id)
        where i.status = 'failed'
    ), either as (
        select c.* from charged c
        union all
        select k.partition_id, k.group_name, k.message_offset + o, k.attempts, k.error, k.failed_at, k.retry_at
        from unnest(known) k
        cross join lateral (
            select v.ctid as tid, v.* from cursor v
            where v.partition_id = k.partition_id and v.group_name = k.group_name
            order by v.generation desc limit 1
        ) n
        cross join lateral generate_series(0, k.message_count - 1) o
        where k.message_offset + o >= n.committed
          and not coalesce(n.acked @> (k.message_offset + o), false)
          and not exists (
            select from charged c where c.partition_id = k.partition_id and c.group_name = k.group_name
            and c.message_offset = k.message_offset + o)
    ), placed as (
        select e.*, e.message_offset - row_number() over (
                   partition by e.partition_id, e.group_name, e.attempts, e.error, e.retry_at, e.failed_at
                   order by e.message_offset) as run
        from either e
    )
    select p.partition_id, p.group_name, min(p.message_offset), count(*), p.attempts, p.error, p.retry_at, p.failed_at
    from placed p
    group by p.partition_id, p.group_name, p.attempts, p.error, p.retry_at, p.failed_at, p.run;

    return query
    select i.index::int, i.attempts, i.status = 'dlq' or i.status = 'failed' and i.attempts > q.retry_limit
    from unnest(partition_ids, statuses, tries) with ordinality as i (partition_id, status, attempts, index)
    join :api.retry_policies(partition_ids) q using (partition_id);
end
$$;
