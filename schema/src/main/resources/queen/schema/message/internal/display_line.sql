create function :api.display_line(line bytea, bytes int, bytes_max bigint)
returns table (text text, is_whole boolean, is_encrypted boolean)
language sql immutable
as $$
-- Promise:  returns a stored line for documents: unchanged, or with null for its payload if it is too long. Of a line that is too long only
--           the beginning and the end are read.
-- Params:   the line, with or without its line break; bytes: its length without the line break; bytes_max: up to this length the line is
--           returned unchanged.
-- Returns:  one row; text is without the line break.
-- Locks:    none.
-- Writes:   nothing
select case when bytes <= bytes_max then convert_from(substring(line from 1 for bytes), 'UTF8') else :api.line_head(line) end,
       bytes <= bytes_max,
       substring(line from bytes - 19 for 20) = ',"isEncrypted":true}'::bytea
$$;
