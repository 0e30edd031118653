create function :api.count_turn(searched uuid[], suspected uuid[], is_searching boolean, partitions_max int)
returns table (counted int, is_all boolean)
language plpgsql volatile
as $$
-- Promise:  counts one turn: partitions recorded as touched, partitions with an expired lease, the next partitions of queues that are
--           recounted, and the given partitions.
-- Params:   searched, suspected: partitions and queues found by a search, as in partitions_to_recount; is_searching; partitions_max: about
--           how many partitions of each kind to count.
-- Returns:  the number of counted partitions; is_all: everything that was recorded before is counted.
-- Locks:    as count_partitions. The caller holds the lock of counting_key.
-- Writes:   touched_partitions, depth_turn, what count_partitions and partitions_to_recount write
#variable_conflict use_column
declare
    at      timestamptz := clock_timestamp();
    last    record;
    touched record;
    overdue uuid[];
begin
    select t.rechecked_to, t.touched_from into last from depth_turn t order by t.generation desc limit 1;
    select t.partitions, t.queue_names, t.is_all, t.next into touched
    from :api.claim_touched(case when is_searching then 0 else last.touched_from end, partitions_max) t;

    -- Counting does not lock queues, so sums may be added for a queue that is being deleted. The next turn deletes them.
    delete from queue_depth d where not exists (select 1 from queen.queue q where q.id = d.queue_id);
    insert into queue_depth (queue_id)
    select q.id
    from queen.queue q
    where not exists (select 1 from queue_depth d where d.queue_id = q.id);

    overdue := array(
        select d.partition_id
        from partition_depth d
        where d.recheck_at > case when is_searching then '-infinity' else last.rechecked_to end
          and d.recheck_at <= at
        order by d.recheck_at
        limit partitions_max);
    counted := :api.count_partitions(
        touched.partitions || overdue || searched || :api.partitions_to_recount(touched.queue_names, suspected, is_searching, partitions_max));

    is_all := touched.is_all and cardinality(overdue) < partitions_max
              and not exists (select 1 from queue_depth d where d.recount_since is not null);
    update depth_turn t
    set computed_at = case when touched.is_all then at else t.computed_at end,
        rechecked_to = case when cardinality(overdue) < partitions_max then at else t.rechecked_to end,
        touched_from = coalesce(touched.next, t.touched_from),
        :written(t)
    where t.ctid = (select n.ctid from depth_turn n order by n.generation desc limit 1);
    return next;
end
$$;
