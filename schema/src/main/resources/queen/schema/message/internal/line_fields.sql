create function :api.line_fields(line text, partition_id uuid default null, message_offset bigint default null)
returns table (id uuid, transaction_id text, trace_id uuid, producer_sub text, headers json, data json)
language sql immutable
as $$
-- Promise:  returns the fields of a stored line. The line is never parsed as a whole, because a payload may contain what text cannot, such
--           as \u0000. Regular expressions read only the part before the payload, so a large payload costs a copy and a check of its JSON.
-- Params:   the line, without its line break; the position of the message, if its payload is shown.
-- Returns:  one row; none if it is not a line of a segment. The data of an encrypted line also contains its message id and position, which
--           decryption needs.
-- Locks:    none.
-- Writes:   nothing
select f.field[1]::uuid,
       case when f.field[2] ~ '\\u(0000|[dD][89a-fA-F])' then f.field[2]
            else ('"' || f.field[2] || '"')::json #>> '{}' end,
       f.field[3]::uuid,
       case when f.field[4] ~ '\\u(0000|[dD][89a-fA-F])' then f.field[4]
            else ('"' || f.field[4] || '"')::json #>> '{}' end,
       f.field[5]::json,
       (case when e.is_encrypted then substr(line, h.length + 1, length(line) - h.length - length(e.ending) - 1)
                                      || ',"messageId":"' || f.field[1] || '"'
                                      || coalesce(',"partitionId":"' || partition_id || '","offset":' || message_offset, '') || '}'
             else substr(line, h.length + 1, length(line) - h.length - 1) end)::json
from (select left(line, 8192) as beginning offset 0) b
-- Quotes in strings are escaped, and commas between headers are followed by spaces, so this finds the payload.
cross join lateral (select position(',"data":' in b.beginning) + length(',"data":') - 1 as length) h
-- The ending of an encrypted line is a field of the line, not of its payload.
cross join lateral (select ',"isEncrypted":true}' as ending, right(line, 20) = ',"isEncrypted":true}' as is_encrypted) e
cross join lateral regexp_match(left(b.beginning, h.length),
    '^\{"id":"([^"]*)","transactionId":"((?:[^"\\]|\\.)*)","traceId":(?:null|"([^"]*)"),"producerSub":(?:null|"((?:[^"\\]|\\.)*)")(?:,"headers":(\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\}))?,"data":$')
    as f (field)
where f.field is not null
  and right(line, 1) = '}'
$$;
