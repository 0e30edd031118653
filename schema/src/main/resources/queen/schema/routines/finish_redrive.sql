create function :api.finish_redrive(
    redrive_id uuid, partition_ids uuid[], group_names text[], message_offsets bigint[], failed_ats timestamptz[], errors text[])
returns bigint
language plpgsql volatile
as $$
-- Promise:  dead letters that were pushed are gone, in the transaction that claimed them; those that were refused stay.
-- Params:   arrays of equal length, as claim_redrive answered them; errors: null where the message was stored.
-- Returns:  in how many milliseconds the redrive goes on.
-- Locks:    none of its own.
-- Writes:   dead_letter, dead_letter_change, queen.redrive
#variable_conflict use_column
declare
    queues  uuid[];
    reasons text[];
    gone    int;
begin
    perform set_config('search_path', s.name, true)
    from queen.shard s
    where s.number = (select r.shard from queen.redrive r where r.id = redrive_id);

    with gone as (
        delete from dead_letter d
        using unnest(partition_ids, group_names, message_offsets, errors) as i (partition_id, group_name, message_offset, error)
        where i.error is null
          and d.partition_id = any (array[i.partition_id])
          and d.group_name = i.group_name
          and d.message_offset = i.message_offset
        returning d.queue_id, d.reason
    )
    select array_agg(g.queue_id), array_agg(g.reason), count(*) into queues, reasons, gone from gone g;
    if gone > 0 then
        perform :api.note_dead_letters(queues, reasons, array_fill(0::bigint, array[gone]), array_fill(-1::bigint, array[gone]));
    end if;

    update queen.redrive r
    set redriven = r.redriven + t.stored,
        refused = r.refused + t.tried - t.stored,
        failures = 0,
        waiting_for = null,
        -- Why it had to wait is of no interest once it goes on.
        last_error = coalesce(t.last_error, case when r.refused > 0 then r.last_error end),
        after_failed_at = failed_ats[t.tried],
        after_partition_id = partition_ids[t.tried],
        after_group_name = group_names[t.tried],
        after_message_offset = message_offsets[t.tried],
        next_at = clock_timestamp() + coalesce(t.tried / r.rate_per_second::float8, 0) * interval '1 second'
    from (
        select count(*) as tried, count(*) filter (where e.error is null) as stored, max(e.error) as last_error
        from unnest(errors) as e (error)
    ) t
    where r.id = redrive_id;

    update queen.redrive r set status = 'finished', finished_at = clock_timestamp()
    where r.id = redrive_id and r.redriven + r.refused >= r.most;
    return (select ceil(extract(epoch from r.next_at - clock_timestamp()) * 1000) from queen.redrive r where r.id = redrive_id);
end
$$;
