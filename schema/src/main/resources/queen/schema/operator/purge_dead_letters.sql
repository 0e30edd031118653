create function :api.purge_dead_letters(
    actor text, queue text, partition text, group_name text, error text, from_at timestamptz, to_at timestamptz,
    transaction_ids text[])
returns text
language plpgsql volatile
as $$
-- Promise:  the dead letters of the queue that match are gone; what a redrive is working on at this moment is waited for.
-- Params:   the queue's name; the filter, as in search_dead_letters.
-- Returns:  {success, queue, purged}; null when there is no such queue.
-- Locks:    the queen.dead_letter rows.
-- Writes:   queen.dead_letter, queen.audit
#variable_conflict use_variable
declare
    of_queue    uuid;
    purged      bigint;
begin
    if queue is null then
        raise exception 'queue is missing: dead letters are purged queue by queue' using errcode = 'QN400';
    end if;
    select q.id into of_queue from queen.queue q where q.name = queue;
    if not found then
        return null;
    end if;

    delete from queen.dead_letter x
    using :api.search_dead_letters(of_queue, partition, group_name, error, from_at, to_at, transaction_ids) d
    where x.partition_id = d.partition_id
      and x.group_name = d.group_name
      and x.message_offset = d.message_offset;
    get diagnostics purged = row_count;

    perform :api.audit(actor, 'purge', 'dead letters of queue ' || queue, null, jsonb_strip_nulls(jsonb_build_object(
        'purged', purged, 'partition', partition, 'consumerGroup', group_name, 'error', error, 'from', from_at, 'to', to_at,
        'transactionIds', transaction_ids)));
    return json_build_object('success', true, 'queue', queue, 'purged', purged)::text;
end
$$;
