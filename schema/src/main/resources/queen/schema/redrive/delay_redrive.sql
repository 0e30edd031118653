create function :api.delay_redrive(redrive_id uuid, reason text, is_fault boolean)
returns text
language plpgsql volatile
as $$
-- Promise:  records why a redrive could not continue, and delays it, so that others continue first: it is retried after a second;
--           the delay doubles with each further fault of its own, up to 30 seconds. After five such faults in a row it has failed.
-- Params:   the redrive; reason; is_fault: the redrive itself caused the error. An outage is not a fault.
-- Returns:  its status; null if it is not running any more.
-- Locks:    the queen.redrive row.
-- Writes:   queen.redrive
#variable_conflict use_column
declare
    at          timestamptz := clock_timestamp();
    faults      int;
    new_status  text;
begin
    select r.failures + is_fault::int into faults
    from queen.redrive r
    where r.id = redrive_id and r.status = 'running'
    for update;
    if not found then
        return null;
    end if;
    new_status := case when faults < 5 then 'running' else 'failed' end;
    update queen.redrive r
    set last_error = reason,
        waiting_for = reason,
        failures = faults,
        next_at = at + least(power(2, greatest(faults - 1, 0)), 30) * interval '1 second',
        status = new_status,
        finished_at = case when new_status = 'failed' then at end
    where r.id = redrive_id;
    return new_status;
end
$$;
