-- Every stored message as a row, for people: select * from queen.message where queue = 'orders' and partition = 'customer-42'. data is json
-- and not jsonb, because a payload may contain what jsonb rejects, such as \u0000. A transactionId with such characters is shown as it is
-- stored, since one message must not hide all others. The data of an encrypted message is its ciphertext; its headers are clear text.
create or replace view queen.message as
select q.name as queue,
       k.name as partition,
       s.base + l.ordinality - 1 as "offset",
       f.field[1]::uuid as id,
       case when f.field[2] ~ '\\u(0000|[dD][89a-fA-F])' then f.field[2]
            else ('"' || f.field[2] || '"')::json #>> '{}' end as transaction_id,
       f.field[3]::uuid as trace_id,
       case when f.field[4] ~ '\\u(0000|[dD][89a-fA-F])' then f.field[4]
            else ('"' || f.field[4] || '"')::json #>> '{}' end as producer_sub,
       case when f.field is not null
            then substr(l.line, h.length + 1, length(l.line) - h.length - case when e.is_encrypted then 20 else 1 end)::json end as data,
       s.created_at,
       p.id as partition_id,
       f.field is not null and e.is_encrypted as is_encrypted,
       f.field[5]::json as headers
from queen.queue q
join queen.partition_key k on k.queue_id = q.id
join queen.partition p on p.id = k.id
join queen.segment s on s.partition_id = p.id
cross join lateral string_to_table(rtrim(convert_from(s.body, 'UTF8'), e'\n'), e'\n') with ordinality as l (line, ordinality)
-- The payload is cut off before the regular expression, which would need seconds for a large one.
cross join lateral (select position(',"data":' in left(l.line, 8192)) + 7 as length) h
cross join lateral (select right(l.line, 20) = ',"isEncrypted":true}' as is_encrypted) e
cross join lateral regexp_match(left(l.line, h.length),
    '^\{"id":"([^"]*)","transactionId":"((?:[^"\\]|\\.)*)","traceId":(?:null|"([^"]*)"),"producerSub":(?:null|"((?:[^"\\]|\\.)*)")(?:,"headers":(\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\}))?,"data":$')
    as f (field)
where s.base + l.ordinality - 1 >= p.tail
  and not coalesce(p.removed @> s.base + l.ordinality - 1, false);
