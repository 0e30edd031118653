create function :api.claim_redrive(of_redrive uuid, batch int)
returns table (
    redrive_id uuid, partition_id uuid, group_name text, message_offset bigint, failed_at timestamptz, transaction_id text,
    line bytea, queue text, to_queue text, to_partition text)
language plpgsql volatile
as $$
-- Promise:  the next few dead letters of a redrive, for whoever keeps the transaction open until they are pushed; a redrive
--           that has none left is finished. Nobody else gets the same ones meanwhile.
-- Params:   the redrive, as next_redrive answered it in this transaction; how many letters at most: together they are not much
--           more than four megabytes.
-- Returns:  the dead letters, in the order in which they are to be pushed, and where to; none when there is nothing to do.
-- Locks:    the dead_letter rows, never waiting.
-- Writes:   queen.redrive
#variable_conflict use_column
declare
    r queen.redrive;
begin
    select r.* into strict r from queen.redrive r where r.id = of_redrive;

    return query
    with next as (
        select d.partition_id, d.group_name, d.message_offset, d.failed_at, octet_length(d.line) as bytes
        from :api.search_dead_letters(r.queue_id, r.partition_name, r.group_name, r.error, greatest(r.from_at, r.after_failed_at),
                                      least(r.to_at, r.created_at), r.transaction_ids) d
        where (d.failed_at, d.partition_id, d.group_name, d.message_offset)
            > (r.after_failed_at, r.after_partition_id, r.after_group_name, r.after_message_offset)
        order by d.failed_at, d.partition_id, d.group_name, d.message_offset
        limit least(batch, case when r.rate_per_second is not null then greatest(r.rate_per_second / 2, 1) end, r.most - r.redriven - r.refused)
    ), few as (
        select n.*, sum(n.bytes) over (order by n.failed_at, n.partition_id, n.group_name, n.message_offset) - n.bytes as before
        from next n
    )
    select r.id, d.partition_id, d.group_name, d.message_offset, d.failed_at, coalesce(d.transaction_id, f.transaction_id), d.line,
           q.name, coalesce(r.target_queue, q.name), coalesce(r.target_partition, d.partition_name)
    from few n
    join dead_letter d on d.partition_id = any (array[n.partition_id])
        and d.group_name = n.group_name and d.message_offset = n.message_offset
    join queen.queue q on q.id = any (array[d.queue_id])
    left join lateral :api.line_fields(case when d.transaction_id is null then convert_from(d.line, 'UTF8') end) f on true
    where n.before < 4 << 20
    order by n.failed_at, n.partition_id, n.group_name, n.message_offset
    for update of d skip locked;

    if not found then
        update queen.redrive x set status = 'finished', finished_at = clock_timestamp() where x.id = r.id;
    end if;
end
$$;
