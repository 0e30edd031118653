create function :api.first_lines(body bytea, count int)
returns bytea
language sql immutable
as $$
-- Promise:  the first messages of a segment's body.
-- Params:   count: how many, at least one.
-- Returns:  their lines, each with its line break.
-- Locks:    none.
-- Writes:   nothing
select convert_to(array_to_string((string_to_array(convert_from(body, 'UTF8'), e'\n'))[1:count], e'\n') || e'\n', 'UTF8')
$$;
