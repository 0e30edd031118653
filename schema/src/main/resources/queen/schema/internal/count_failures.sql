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
begin
    update queen.cursor c
    set is_failing = true
    from (select distinct i.partition_id, i.group_name from unnest(partition_ids, group_names) as i (partition_id, group_name)) i
    where c.partition_id = i.partition_id
      and c.group_name = i.group_name
      and not c.is_failing;

    return query
    with counted as (
        insert into queen.failure as x (partition_id, group_name, message_offset, attempts, error, failed_at)
        select i.partition_id, i.group_name, i.message_offset, 1, i.error, clock_timestamp()
        from unnest(partition_ids, group_names, message_offsets, errors) as i (partition_id, group_name, message_offset, error)
        on conflict (partition_id, group_name, message_offset)
        do update set attempts = x.attempts + 1, error = excluded.error, failed_at = excluded.failed_at
        returning x.partition_id, x.group_name, x.message_offset, x.attempts
    )
    select i.index::int, n.attempts, n.attempts > q.retry_limit
    from unnest(partition_ids, group_names, message_offsets)
         with ordinality as i (partition_id, group_name, message_offset, index)
    join counted n on n.partition_id = i.partition_id and n.group_name = i.group_name and n.message_offset = i.message_offset
    join queen.partition p on p.id = i.partition_id
    join queen.queue q on q.id = p.queue_id;

    update queen.failure x
    set retry_at = case when is_delayed then clock_timestamp() + make_interval(secs => least(
            q.retry_delay_ms * power(2, least(x.attempts, 30) - 1), greatest(q.retry_delay_ms, 900000)) / 1000.0) end
    from unnest(partition_ids, group_names, message_offsets) as i (partition_id, group_name, message_offset)
    join queen.partition p on p.id = i.partition_id
    join queen.queue q on q.id = p.queue_id
    where x.partition_id = i.partition_id
      and x.group_name = i.group_name
      and x.message_offset = i.message_offset
      and q.retry_delay_ms > 0;
end
$$;
