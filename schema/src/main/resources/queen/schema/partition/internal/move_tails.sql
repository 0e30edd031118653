create function :api.move_tails(partition_ids uuid[], tails bigint[])
returns void
language plpgsql volatile
as $$
-- Promise:  moves the tails of partitions to these offsets: deletes the segments and traces before them, and drops the removed ranges before
--           them. If a removed range begins at the new tail, the tail moves over it, but its segments stay.
-- Params:   arrays of equal length, each partition once; the caller has locked the partition rows.
-- Returns:  nothing.
-- Locks:    queen.trace_name rows, as delete_traces does.
-- Writes:   partition, segment, queen.trace*, touched_partitions
#variable_conflict use_column
begin
    update partition p
    set tail = :api.first_unfinished(p.tail, i.tail, p.removed),
        removed = nullif(p.removed - int8multirange(int8range(null, i.tail)), '{}'::int8multirange)
    from unnest(partition_ids, tails) as i (partition_id, tail)
    where p.id = any (array[i.partition_id]);

    delete from segment s
    using unnest(partition_ids, tails) as i (partition_id, tail)
    where s.partition_id = any (array[i.partition_id])
      and s.base < i.tail
      and s.base + s.count <= i.tail;

    perform :api.touch_partitions(partition_ids, '{}');
    perform :api.delete_traces(partition_ids, array_fill(0::bigint, array[cardinality(partition_ids)]), tails);
end
$$;
