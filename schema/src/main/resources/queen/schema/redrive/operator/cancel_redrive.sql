create function :api.cancel_redrive(actor text, redrive_id uuid)
returns text
language plpgsql volatile
as $$
-- Promise:  the redrive goes no further; what it has pushed stays pushed, what it has not tried stays a dead letter.
-- Params:   its id.
-- Returns:  the redrive, which may have been over already; null when there is none.
-- Locks:    the queen.redrive row, which a server holds while it pushes a few messages.
-- Writes:   queen.redrive, queen.audit
#variable_conflict use_column
declare
    r   queen.redrive;
    at  timestamptz := clock_timestamp();
begin
    update queen.redrive r set status = 'cancelled', finished_at = at
    where r.id = redrive_id and r.status = 'running'
    returning r.* into r;
    if found then
        perform :api.audit(actor, 'cancel', 'redrive ' || redrive_id, jsonb_build_object('status', 'running'),
                           jsonb_build_object('status', 'cancelled', 'redriven', r.redriven));
    end if;
    return :api.show_redrive(redrive_id);
end
$$;
