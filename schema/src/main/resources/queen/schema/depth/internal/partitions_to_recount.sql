create function :api.partitions_to_recount(changed text[], suspected uuid[], is_searching boolean, budget int)
returns uuid[]
language plpgsql volatile
as $$
-- Promise:  returns the next partitions of queues whose partitions are all recounted: first queues with recorded changes in many
--           partitions; when searching, also queues with another revision, suspected queues, and recounts in progress. Partitions are
--           processed in name order, so a turn never exceeds the budget.
-- Params:   changed: names of changed queues; suspected: queues with more changes than can be recorded per partition; is_searching: whether
--           this turn searches for unrecorded changes; budget: the maximum number of partitions.
-- Returns:  the partitions.
-- Locks:    the queue_depth rows of these queues; the caller holds the lock of counting_key.
-- Writes:   queue_depth
#variable_conflict use_column
declare
    at          timestamptz := clock_timestamp();
    partitions  uuid[] := '{}';
    last        text;
    part        record;
begin
    if cardinality(changed) > 0 or is_searching then
        update queue_depth d
        set revision = q.revision,
            recount_since = case when d.revision <> q.revision or q.name = any (changed)
                                 then coalesce(d.recount_since, at) else d.recount_since end,
            recount_again = d.recount_after is not null,
            recount_after = coalesce(d.recount_after, '')
        from queen.queue q
        where q.id = d.queue_id
          and (q.name = any (changed) or is_searching and (d.revision <> q.revision or d.queue_id = any (suspected)));
    end if;

    for part in
        select d.queue_id, d.recount_after, d.recount_again
        from queue_depth d
        where d.recount_since is not null
           or is_searching and d.recount_after is not null
        order by d.recount_since nulls last
    loop
        select partitions || coalesce(array_agg(k.id order by k.name), '{}'), max(k.name)
        into partitions, last
        from :api.partition_page(part.queue_id, part.recount_after, budget - cardinality(partitions)) k;
        if cardinality(partitions) < budget then
            last := case when part.recount_again then '' end;
        end if;
        update queue_depth d
        set recount_after = last,
            recount_again = d.recount_again and coalesce(last, '') <> '',
            recount_since = case when last is not null then d.recount_since end
        where d.queue_id = part.queue_id;
        exit when cardinality(partitions) >= budget;
    end loop;
    return partitions;
end
$$;
