create function :api.finish_redrive(
    redrive_id uuid, partition_ids uuid[], group_names text[], message_offsets bigint[], failed_ats timestamptz[], errors text[])
returns bigint
language plpgsql volatile
as $$
-- Promise:  records the progress of a redrive, in the transaction that claimed and moved its dead letters.
-- Params:   arrays of equal length, as claim_redrive returned them; errors: why a dead letter was not moved, null for one that was moved.
-- Returns:  in how many milliseconds the redrive continues.
-- Locks:    none of its own.
-- Writes:   queen.redrive
#variable_conflict use_column
declare
    tried           record;
    latest          record;
    ended_at        timestamptz := clock_timestamp();
    continues_at    timestamptz;
begin
    select count(*) as count, count(*) filter (where e.error is null) as stored, max(e.error) as last_error into tried
    from unnest(errors) as e (error);
    -- An array element in the update itself crashes the session on Citus.
    select failed_ats[tried.count] as failed_at, partition_ids[tried.count] as partition_id, group_names[tried.count] as group_name,
           message_offsets[tried.count] as message_offset
    into latest;
    select ended_at + coalesce(tried.count / r.rate_per_second::float8, 0) * interval '1 second' into continues_at
    from queen.redrive r
    where r.id = redrive_id;

    update queen.redrive r
    set redriven = r.redriven + tried.stored,
        refused = r.refused + tried.count - tried.stored,
        failures = 0,
        waiting_for = null,
        -- The reason of a wait is dropped when the redrive continues.
        last_error = coalesce(tried.last_error, case when r.refused > 0 then r.last_error end),
        after_failed_at = latest.failed_at,
        after_partition_id = latest.partition_id,
        after_group_name = latest.group_name,
        after_message_offset = latest.message_offset,
        next_at = continues_at
    where r.id = redrive_id;

    update queen.redrive r set status = 'finished', finished_at = ended_at
    where r.id = redrive_id and r.redriven + r.refused >= r.letters_max;
    return ceil(extract(epoch from continues_at - clock_timestamp()) * 1000);
end
$$;
