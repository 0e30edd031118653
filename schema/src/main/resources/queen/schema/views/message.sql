-- Every stored message as a row, for people: select * from queen.message where queue = 'orders' and partition = 'customer-42'.
-- data is json and not jsonb, because a payload may hold what jsonb refuses, such as \u0000.
create or replace view queen.message as
select q.name as queue,
       p.name as partition,
       s.base + l.ordinality - 1 as "offset",
       f.field[1]::uuid as id,
       (('"' || f.field[2] || '"')::json) #>> '{}' as transaction_id,
       nullif(trim(both '"' from f.field[3]), 'null')::uuid as trace_id,
       f.field[4]::json #>> '{}' as producer_sub,
       f.field[5]::json as data,
       s.created_at,
       p.id as partition_id
from queen.queue q
join queen.partition p on p.queue_id = q.id
join queen.segment s on s.partition_id = p.id
cross join lateral string_to_table(rtrim(convert_from(s.body, 'UTF8'), e'\n'), e'\n') with ordinality as l (line, ordinality)
cross join lateral regexp_match(l.line,
    '^\{"id":"([^"]*)","transactionId":"((?:[^"\\]|\\.)*)","traceId":(null|"[^"]*"),"producerSub":(null|"(?:[^"\\]|\\.)*"),"data":(.*)\}$')
    as f (field)
where s.base + l.ordinality - 1 >= p.tail;
