create function :api.seek(partition_ids uuid[], group_name text, positions bigint[])
returns bigint
language plpgsql volatile
as $$
-- Promise:  moves the cursors of the group to these offsets, in all partitions at once. Leases end: an ack or a renewal with them has no
--           effect. Failures and out-of-order acks are deleted. Totals stay consistent: skipped messages are counted as skipped, and
--           redelivered ones are subtracted, so that they can be counted again.
-- Params:   arrays of equal length, each partition once, ascending; the caller has locked the queen.queue row, so that no cursor outlives
--           the queue.
-- Returns:  the number of cursors that were created or moved.
-- Locks:    the queen.queue_size row; then cursor rows, ascending by (partition_id, group_name).
-- Writes:   queen.queue_size, cursor, cursor_key, failure
#variable_conflict use_column
declare
    queues  uuid[];
    placed  bigint;
begin
    -- Finished messages may be unfinished again: the size of a queue with a limit must be counted before the next push.
    queues := array(
        select distinct z.queue_id
        from partition p
        join queen.queue_size z on z.queue_id = any (array[p.queue_id])
        where p.id = any (seek.partition_ids));
    if cardinality(queues) > 0 then
        update queen.queue_size z set size = null where z.queue_id = any (queues);
    end if;

    perform :api.delete_orphan_keys(partition_ids, array_fill(seek.group_name, array[cardinality(partition_ids)]));
    -- Existing cursors are not changed by this.
    perform :api.insert_cursors(partition_ids, array_fill(seek.group_name, array[cardinality(partition_ids)]), positions);

    perform :api.lock_cursors(partition_ids, array_fill(seek.group_name, array[cardinality(partition_ids)]));

    -- A cursor that was just created has this offset already and skips nothing.
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
