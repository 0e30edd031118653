create function :api.stored_line(transaction_id text, payload text, headers json, trace_id uuid)
returns text
language sql volatile
as $$
-- Promise:  returns a new message as stored in segments: one line of JSON, with a time-ordered id (UUID version 7).
-- Params:   the transactionId; the payload: JSON, unchanged except for line breaks between its parts; headers, or null; the traceId, or
--           null.
-- Returns:  the line with its line break. 22P02: the payload is not JSON. 22023: a server would reject the headers.
-- Locks:    none.
-- Writes:   nothing
select '{"id":"' || encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing
           substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
       || '","transactionId":' || to_json(transaction_id) || ',"traceId":' || coalesce(to_json(trace_id)::text, 'null') || ',"producerSub":null'
       || coalesce(',"headers":' || :api.stored_headers(headers), '') || ',"data":'
       || translate(payload::json::text, e'\n\r', '  ') || e'}\n'
$$;
