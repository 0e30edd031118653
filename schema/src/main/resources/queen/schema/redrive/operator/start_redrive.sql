create function :api.start_redrive(
    actor text, queue text, partition text, group_name text, error text, from_at timestamptz, to_at timestamptz,
    transaction_ids text[], letters_max bigint, target_queue text, target_partition text, rate_per_second bigint, is_dry_run boolean,
    sealed_errors text[] default null)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  starts a redrive of the dead letters that match at this time: any server moves them back into partitions, shard by shard, and
--           in each shard the oldest failure first. Creates the target queue if it is missing. A dry run returns the matching dead letters
--           and changes nothing.
-- Params:   the filter, as in search_dead_letters; letters_max: the maximum number, null for no limit; target_queue, target_partition: null
--           for the original one; rate_per_second: null for no limit.
-- Returns:  the redrive; for a dry run {success, dryRun, total, errors, examples}; null if the queue does not exist.
-- Locks:    what create_queues locks.
-- Writes:   queen.redrive, queen.audit, what create_queues writes
#variable_conflict use_variable
declare
    of_queue    uuid := :api.queue_id_of(queue);
    total       bigint;
    examples    record;
    begun       queen.redrive;
    old_before  timestamptz := clock_timestamp() - interval '30 days';
begin
    if queue is not null and not exists (select 1 from queen.queue q where q.id = of_queue) then
        return null;
    end if;
    select least(count(*), coalesce(letters_max, 1000000)) into total
    from :api.search_dead_letters(of_queue, partition, group_name, error, from_at, to_at, transaction_ids, coalesce(letters_max, 1000000), false,
        null, sealed_errors);

    if is_dry_run then
        select array_agg(k.target_id order by k.at, k.target_id, k.reader, k.place) as partitions,
               array_agg(k.reader order by k.at, k.target_id, k.reader, k.place) as readers,
               array_agg(k.place order by k.at, k.target_id, k.reader, k.place) as places
        into examples
        from (
            select k.*
            from :api.search_dead_letters(of_queue, partition, group_name, error, from_at, to_at, transaction_ids, 5, false, null, sealed_errors) k
            order by k.at, k.target_id, k.reader, k.place
            limit least(coalesce(letters_max, 5), 5)
        ) k;
        return json_build_object('success', true, 'dryRun', true, 'total', total,
            'errors', coalesce((
                select json_agg(json_build_object('error', e.reason, 'count', e.count) order by e.count desc, e.reason)
                from (
                    select d.reason, count(*) as count
                    from :api.search_dead_letters(
                        of_queue, partition, group_name, error, from_at, to_at, transaction_ids, 1000000, false, null, sealed_errors) d
                    group by d.reason
                    order by count(*) desc
                    limit 20
                ) e), '[]'),
            'examples', coalesce((
                select json_agg(:api.dead_letter_document(d.dead, d.omitted_bytes) order by d.index)
                from :api.dead_letters_at(coalesce(examples.partitions, '{}'), examples.readers, examples.places) d), '[]'))::text;
    end if;

    perform :api.reject_dot_names(array[target_partition], 'targetPartition');
    -- A push to a missing queue creates it, too.
    if target_queue is not null then
        perform from :api.create_queues(
            array[target_queue], array[split_part(target_queue, '.', 1)], array[split_part(target_queue, '.', 2)]);
    end if;
    delete from queen.redrive r where r.created_at < old_before and r.status <> 'running';
    insert into queen.redrive (
        id, actor, queue_id, queue_name, partition_name, group_name, error, from_at, to_at, transaction_ids, target_queue,
        target_partition, letters_max, rate_per_second, total, sealed_errors)
    values (
        gen_random_uuid(), actor, of_queue, queue, partition, group_name, error, from_at, to_at, transaction_ids, target_queue,
        target_partition, letters_max, rate_per_second, total, sealed_errors)
    returning * into begun;
    perform :api.audit(actor, 'redrive', coalesce('dead letters of queue ' || queue, 'dead letters'), null,
                       jsonb_strip_nulls(:api.redrive_document(begun)::jsonb));
    return :api.redrive_document(begun)::text;
end
$$;
