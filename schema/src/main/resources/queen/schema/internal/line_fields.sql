create function :api.line_fields(line text)
returns table (id uuid, transaction_id text, trace_id uuid, producer_sub text, headers json, data json)
language sql immutable
as $$
-- Promise:  the parts of a stored line. It is never parsed as a whole, because a payload may hold what text cannot, such as \u0000.
-- Params:   the line, without its line break.
-- Returns:  one row; none where it is not a line of a segment. The data of an encrypted line says its message id as well, because
--           without that nobody can decrypt it.
-- Locks:    none.
-- Writes:   nothing
select f.field[1]::uuid,
       case when f.field[2] ~ '\\u(0000|[dD][89a-fA-F])' then f.field[2]
            else ('"' || f.field[2] || '"')::json #>> '{}' end,
       f.field[3]::uuid,
       case when f.field[4] ~ '\\u(0000|[dD][89a-fA-F])' then f.field[4]
            else ('"' || f.field[4] || '"')::json #>> '{}' end,
       f.field[5]::json,
       (case when line like '%,"isEncrypted":true}' then left(f.field[6], -1) || ',"messageId":"' || f.field[1] || '"}'
             else f.field[6] end)::json
-- What ends an encrypted line is a field of the line, not of its payload.
from regexp_match(regexp_replace(line, ',"isEncrypted":true\}$', '}'),
    '^\{"id":"([^"]*)","transactionId":"((?:[^"\\]|\\.)*)","traceId":(?:null|"([^"]*)"),"producerSub":(?:null|"((?:[^"\\]|\\.)*)")(?:,"headers":(\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\}))?,"data":(.*)\}$')
    as f (field)
where f.field is not null
$$;
