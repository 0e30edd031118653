create function :api.line_head(body bytea, place int default 1)
returns text
language sql immutable
as $$
-- Promise:  returns a stored line with null for its payload. Of the first line only the beginning is read, no matter how large the body is;
--           for another line the body is searched for line breaks.
-- Params:   the body of a segment, or a line; place: the number of the line, from 1.
-- Returns:  the line, without the marker of encryption; null if there is no such line. Quotes in its strings are escaped, and commas
--           between headers are followed by spaces, so the text that is searched for is the beginning of the payload.
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
