create function :api.hold_redrive(redrive_id uuid, reason text, is_fault boolean)
returns text
language sql volatile
as $$
-- Promise:  a redrive that could not go on says why, and lets the others go first: it is tried again after a second, then less and
--           less often. Where the fault is its own, it has failed after five times in a row.
-- Params:   the redrive; why; is_fault: whether it would have gone on but for itself. An outage is not its fault.
-- Returns:  its status; null when it is not running any more.
-- Locks:    the queen.redrive row.
-- Writes:   queen.redrive
update queen.redrive r
set last_error = reason,
    waiting_for = reason,
    failures = f.failures,
    next_at = clock_timestamp() + least(power(2, greatest(f.failures - 1, 0)), 30) * interval '1 second',
    status = case when f.failures < 5 then r.status else 'failed' end,
    finished_at = case when f.failures < 5 then r.finished_at else clock_timestamp() end
from (
    select x.failures + is_fault::int as failures
    from queen.redrive x
    where x.id = hold_redrive.redrive_id
) f
where r.id = hold_redrive.redrive_id
  and r.status = 'running'
returning r.status
$$;
