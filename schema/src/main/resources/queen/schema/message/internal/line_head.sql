create function :api.line_head(body bytea, place int default 1)
returns text
language sql immutable
as $$
-- Promise:  a stored line with null for its payload. Of the first line only the beginning is read, however large the body is; for another
--           one the body is searched for line breaks.
-- Params:   the body of a segment, or a line; place: which of its lines, the first is 1.
-- Returns:  the line, not encrypted; null where there is no such line. Quotes inside its strings are escaped, and commas between headers
--           are followed by spaces, so that what is searched for is where the payload begins.
-- Locks:    none.
-- Writes:   nothing
select convert_from(substring(h.head from 1 for position(',"data":'::bytea in h.head) + 7), 'UTF8') || 'null}'
from (
    select case when place = 1 then substring(body from 1 for 8192)
                else convert_to(left(split_part(convert_from(body, 'UTF8'), e'\n', place), 8192), 'UTF8') end as head
    offset 0
) h
where position(',"data":'::bytea in h.head) > 0
$$;
