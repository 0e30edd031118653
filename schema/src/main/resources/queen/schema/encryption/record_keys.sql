create function :api.record_keys(
    of_partition uuid, of_queue uuid, firsts bigint[], ends bigint[], key_ids text[], are_bound boolean[], sizes bigint[])
returns int
language plpgsql volatile
as $$
-- Promise:  records the keys that messages are encrypted with. Adjacent runs with the same key are merged.
-- Params:   the partition and its queue; arrays of equal length, one element per run, ascending.
-- Returns:  the number of runs in the arguments.
-- Locks:    the rows it writes.
-- Writes:   queen.key_run
#variable_conflict use_column
declare
    run     record;
    next    record;
begin
    for run in
        select i.first, i."end", i.key_id, i.is_bound, i.size
        from unnest(firsts, ends, key_ids, are_bound, sizes) as i (first, "end", key_id, is_bound, size)
        order by i.first
    loop
        delete from queen.key_run r
        where r.partition_id = of_partition and r.first_offset = run."end" and r.key_id = run.key_id and r.is_bound = run.is_bound
        returning r.end_offset, r.bytes into next;
        update queen.key_run r
        set end_offset = coalesce(next.end_offset, run."end"), bytes = r.bytes + run.size + coalesce(next.bytes, 0)
        where r.partition_id = of_partition and r.end_offset = run.first and r.key_id = run.key_id and r.is_bound = run.is_bound;
        if not found then
            insert into queen.key_run (partition_id, first_offset, end_offset, queue_id, key_id, is_bound, bytes)
            values (of_partition, run.first, coalesce(next.end_offset, run."end"), of_queue, run.key_id, run.is_bound,
                    run.size + coalesce(next.bytes, 0));
        end if;
    end loop;
    return cardinality(firsts);
end
$$;
