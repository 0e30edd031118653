create function :api.purge_dead_letters(
    actor text, queue text, partition text, group_name text, error text, from_at timestamptz, to_at timestamptz,
    transaction_ids text[], sealed_errors text[] default null)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  deletes the matching dead letters of the queue; waits for those that a redrive has locked.
-- Params:   the queue's name; the filter, as in search_dead_letters.
-- Returns:  {success, queue, purged}; null if the queue does not exist.
-- Locks:    the dead_letter rows, shard by shard.
-- Writes:   dead_letter, dead_letter_change, queen.audit
#variable_conflict use_variable
declare
    of_queue        uuid;
    of_partition    uuid;
    purged          bigint := 0;
    here            bigint;
    shard           text;
    reasons         text[];
    changes         bigint[];
begin
    if queue is null then
        raise exception 'queue is missing: dead letters are purged queue by queue' using errcode = 'QN400';
    end if;
    select q.id into of_queue from queen.queue q where q.name = queue;
    if not found then
        return null;
    end if;

    of_partition := :api.partition_id(of_queue, partition);
    foreach shard in array :api.shards() loop
        perform :api.select_shard(shard);
        with gone as (
            delete from dead_letter x
            where :matches_filter(x, of_queue, of_partition, partition, group_name, error, from_at, to_at, transaction_ids, sealed_errors)
            returning x.reason
        ), counted as (
            select g.reason, count(*) as count from gone g group by g.reason
        )
        select array_agg(c.reason), array_agg(-c.count), coalesce(sum(c.count), 0)
        into reasons, changes, here
        from counted c;
        if here > 0 then
            perform :api.record_dead_letter_changes(
                array_fill(of_queue, array[cardinality(reasons)]), reasons, array_fill(0::bigint, array[cardinality(reasons)]), changes);
        end if;
        purged := purged + here;
    end loop;

    perform :api.audit(actor, 'purge', 'dead letters of queue ' || queue, null, jsonb_strip_nulls(jsonb_build_object(
        'purged', purged, 'partition', partition, 'consumerGroup', group_name, 'error', error, 'from', from_at, 'to', to_at,
        'transactionIds', transaction_ids)));
    return json_build_object('success', true, 'queue', queue, 'purged', purged)::text;
end
$$;
