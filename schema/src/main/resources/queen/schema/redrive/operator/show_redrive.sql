create function :api.show_redrive(redrive_id uuid)
returns text
language plpgsql stable
as $$
-- Promise:  returns the progress of a redrive.
-- Params:   its id.
-- Returns:  the redrive; null if it does not exist.
-- Locks:    none.
-- Writes:   nothing
declare
    r queen.redrive;
begin
    select x.* into r from queen.redrive x where x.id = redrive_id;
    return case when found then :api.redrive_document(r)::text end;
end
$$;
