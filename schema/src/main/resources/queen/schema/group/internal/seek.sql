create function :api.seek(partition_ids uuid[], group_name text, positions bigint[])
returns bigint
language plpgsql volatile
as $$
-- Promise:  the group goes on at these offsets, all partitions at once. Leases are over: what is acked or renewed with them changes
--           nothing. What was known of failed attempts and of messages acked out of order is forgotten. Totals stay true:
--           messages passed over count as skipped, and those given once more are taken off again, so that they can end again.
-- Params:   arrays of equal length, each partition once, ascending; the caller holds the queen.queue row, so that no cursor outlives it.
-- Returns:  how many cursors were placed.
-- Locks:    the queen.queue_size row; then cursor rows, ascending by (partition_id, group_name).
-- Writes:   queen.queue_size, cursor, cursor_key, failure
#variable_conflict use_column
declare
    queues  uuid[];
    placed  bigint;
begin
    -- What was finished may be unfinished again: a queue with a limit has to be counted before it takes more.
    queues := array(
        select distinct z.queue_id
        from partition p
        join queen.queue_size z on z.queue_id = any (array[p.queue_id])
        where p.id = any (seek.partition_ids));
    if cardinality(queues) > 0 then
        update queen.queue_size z set size = null where z.queue_id = any (queues);
    end if;

    perform :api.free_orphan_keys(partition_ids, array_fill(seek.group_name, array[cardinality(partition_ids)]));
    -- Those that are there already are not added again.
    perform :api.insert_cursors(partition_ids, array_fill(seek.group_name, array[cardinality(partition_ids)]), positions);

    perform :api.lock_cursors(partition_ids, array_fill(seek.group_name, array[cardinality(partition_ids)]));

    -- One that was just added stands there already, and passes over nothing.
    update cursor c
    set skipped_count = c.skipped_count + i.place - c.committed - coalesce((
            select sum(upper(r) - lower(r)) from unnest(c.acked) r), 0),
        committed = i.place,
        lease_id = null,
        lease_until = null,
        lease_end = null,
        acked = null,
        is_failing = false,
        retry_at = null,
        :written(c)
    from unnest(partition_ids, positions) as i (partition_id, place)
    cross join lateral :newest_cursor_row(i.partition_id, seek.group_name) n
    where c.ctid = n.tid;
    get diagnostics placed = row_count;

    delete from failure x
    where x.partition_id = any (seek.partition_ids)
      and x.group_name = seek.group_name;
    return placed;
end
$$;
