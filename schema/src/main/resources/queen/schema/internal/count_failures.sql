create function :api.count_failures(
    partition_ids uuid[], group_names text[], message_offsets bigint[], statuses text[], errors text[], is_delayed boolean)
returns table (index int, attempts int, is_dead boolean)
language plpgsql volatile
as $$
-- Promise:  decides about messages that were delivered and not finished. failed: one more failed delivery, dead after
--           1 + retry_limit of them; dlq: dead at once; retry: nothing is counted. With is_delayed a failed message is due
--           again after the queue's retry delay, doubled with each attempt, for at most a quarter of an hour (or the retry
--           delay itself where that is longer).
-- Params:   arrays of equal length, each message once; the caller holds the cursors' row locks.
-- Returns:  one row per message.
-- Locks:    none of its own.
-- Writes:   queen.failure, queen.cursor (is_failing)
#variable_conflict use_column
declare
    at timestamptz := clock_timestamp();
begin
    update queen.cursor c
    set is_failing = true,
        writes = c.writes + 1,
        generation = (c.writes + 1) / 256
    from (
        select distinct i.partition_id, i.group_name
        from unnest(partition_ids, group_names, statuses) as i (partition_id, group_name, status)
        where i.status = 'failed'
    ) i
    cross join lateral :api.cursor_of(i.partition_id, i.group_name) n
    where c.ctid = n.tid
      and not n.is_failing;

    insert into queen.failure as x (partition_id, group_name, message_offset, attempts, error, failed_at, retry_at)
    select i.partition_id, i.group_name, i.message_offset, 1, i.error, at,
           case when is_delayed and q.retry_delay_ms > 0 then at + q.retry_delay_ms * interval '1 ms' end
    from unnest(partition_ids, group_names, message_offsets, statuses, errors)
         as i (partition_id, group_name, message_offset, status, error)
    cross join lateral :api.partition_of(i.partition_id) p
    join queen.queue q on q.id = any (array[p.queue_id])
    where i.status = 'failed'
    on conflict (partition_id, group_name, message_offset)
    do update set
        attempts = x.attempts + 1,
        error = excluded.error,
        failed_at = at,
        -- excluded.retry_at is one delay away; twenty doublings of a millisecond are more than a quarter of an hour.
        retry_at = case when excluded.retry_at is not null then at + least(
            (excluded.retry_at - at) * power(2, least(x.attempts, 20)),
            greatest(excluded.retry_at - at, interval '15 minutes')) end;

    return query
    select i.index::int,
           coalesce(x.attempts, 0) + case when i.status = 'dlq' then 1 else 0 end,
           i.status = 'dlq' or i.status = 'failed' and x.attempts > q.retry_limit
    from unnest(partition_ids, group_names, message_offsets, statuses)
         with ordinality as i (partition_id, group_name, message_offset, status, index)
    cross join lateral :api.partition_of(i.partition_id) p
    join queen.queue q on q.id = any (array[p.queue_id])
    left join queen.failure x on x.partition_id = any (array[i.partition_id])
        and x.group_name = i.group_name and x.message_offset = i.message_offset;
end
$$;
