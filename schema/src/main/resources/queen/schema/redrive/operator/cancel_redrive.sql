create function :api.cancel_redrive(actor text, redrive_id uuid)
returns text
language plpgsql volatile
as $$
-- Promise:  stops the redrive: messages that it has moved stay in their partitions, all others stay dead letters.
-- Params:   actor; its id.
-- Returns:  the redrive, which may have ended before; null if it does not exist.
-- Locks:    the queen.redrive row, which a server locks while it moves a few messages.
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
