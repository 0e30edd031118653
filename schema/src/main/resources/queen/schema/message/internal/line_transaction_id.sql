create function :api.line_transaction_id(line text)
returns text
language sql immutable
as $$
-- Promise:  returns the transactionId of a stored line. The payload is not read, so the cost does not depend on its size.
-- Params:   the line, without its line break.
-- Returns:  as in line_fields; null if the text is not a line of a segment.
-- Locks:    none.
-- Writes:   nothing
select case when f.field[1] ~ '\\u(0000|[dD][89a-fA-F])' then f.field[1]
            else ('"' || f.field[1] || '"')::json #>> '{}' end
from regexp_match(left(line, 8192), '^\{"id":"[^"]*","transactionId":"((?:[^"\\]|\\.)*)","traceId":') as f (field)
$$;
