create function :api.line_head(line bytea)
returns text
language sql immutable
as $$
-- Promise:  a stored line with null for its payload, without a look at the payload.
-- Params:   the line.
-- Returns:  the line; quotes inside its strings are escaped, and commas between headers are followed by spaces, so that what is
--           searched for is where the payload begins.
-- Locks:    none.
-- Writes:   nothing
select convert_from(substring(h.head from 1 for position(',"data":'::bytea in h.head) + 7), 'UTF8') || 'null}'
from (select substring(line from 1 for 8192) as head) h
$$;
