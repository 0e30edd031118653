create function :api.shown_line(line bytea, bytes int, most bigint)
returns table (text text, is_whole boolean, is_encrypted boolean)
language sql immutable
as $$
-- Promise:  a stored line for documents: as it is, or with null for its payload where it is too long. Of a line that is too long only the
--           beginning and the end are read.
-- Params:   the line, perhaps with its line break; its length without that; most: how long a line is shown as it is.
-- Returns:  one row; text is without the line break.
-- Locks:    none.
-- Writes:   nothing
select case when bytes <= most then convert_from(substring(line from 1 for bytes), 'UTF8') else :api.line_head(line) end,
       bytes <= most,
       substring(line from bytes - 19 for 20) = ',"isEncrypted":true}'::bytea
$$;
