create function :api.show_redrive(redrive_id uuid)
returns text
language sql stable
as $$
-- Promise:  how far a redrive has come.
-- Params:   its id.
-- Returns:  the redrive; null when there is none.
-- Locks:    none.
-- Writes:   nothing
select :api.redrive_document(r)::text
from queen.redrive r
where r.id = redrive_id
$$;
