create function :api.count_failures(
    partition_ids uuid[], group_names text[], message_offsets bigint[], errors text[], is_delayed boolean)
returns table (index int, attempts int, is_exhausted boolean)
language plpgsql volatile
as $$
-- Promise:  one more failed delivery for each message; it is exhausted after 1 + retry_limit of them. With is_delayed the
--           message is due again after the queue's retry delay, doubled with each attempt, for at most a quarter of an hour
--           (or the retry delay itself where that is longer).
-- Params:   arrays of equal length, each message once; the caller holds the cursors' row locks.
-- Returns:  one row per message.
-- Locks:    none of its own.
-- Writes:   queen.failure, queen.cursor (is_failing)
#variable_conflict use_column
declare
    at timestamptz := clock_timestamp();
begin
    update queen.cursor c
    set is_failing = true
    from (select distinct i.partition_id, i.group_name from unnest(partition_ids, group_names) as i (partition_id, group_name)) i
    where c.partition_id = any (array[i.partition_id])
      and c.group_name = i.group_name
      and not c.is_failing;

    return query
    with counted as (
        insert into queen.failure as x (partition_id, group_name, message_offset, attempts, error, failed_at, retry_at)
        select i.partition_id, i.group_name, i.message_offset, 1, i.error, at,
               case when is_delayed and q.retry_delay_ms > 0 then at + q.retry_delay_ms * interval '1 ms' end
        from unnest(partition_ids, group_names, message_offsets, errors) as i (partition_id, group_name, message_offset, error)
        join queen.partition p on p.id = any (array[i.partition_id])
        join queen.queue q on q.id = any (array[p.queue_id])
        on conflict (partition_id, group_name, message_offset)
        do update set
            attempts = x.attempts + 1,
            error = excluded.error,
            failed_at = at,
            -- excluded.retry_at is one delay away; twenty doublings of a millisecond are more than a quarter of an hour.
            retry_at = case when excluded.retry_at is not null then at + least(
                (excluded.retry_at - at) * power(2, least(x.attempts, 20)),
                greatest(excluded.retry_at - at, interval '15 minutes')) end
        returning x.partition_id, x.group_name, x.message_offset, x.attempts
    )
    select i.index::int, n.attempts, n.attempts > q.retry_limit
    from unnest(partition_ids, group_names, message_offsets)
         with ordinality as i (partition_id, group_name, message_offset, index)
    join counted n on n.partition_id = i.partition_id and n.group_name = i.group_name and n.message_offset = i.message_offset
    join queen.partition p on p.id = any (array[i.partition_id])
    join queen.queue q on q.id = any (array[p.queue_id]);
end
$$;
