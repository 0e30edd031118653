-- Messages with headers or a traceId, pushed inside the caller's transaction. Those without go the way they have always gone.
create function queen.push(
    queue text, partition text, payload text, transaction_id text, headers json, trace_id uuid default null)
returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
    answer text;
begin
    execute format('select %I.push_within($1, $2, $3, $4, $5, $6)', queen.routines())
    into answer using queue, partition, payload, transaction_id, headers, trace_id;
    return answer;
end
$$;

create function queen.push(
    queue text, partition text, payload json, transaction_id text, headers json, trace_id uuid default null)
returns text
language sql volatile
as $$
select queen.push(queue, partition, payload::text, transaction_id, headers, trace_id)
$$;

create function queen.push(
    queue text, partition text, payload jsonb, transaction_id text, headers json, trace_id uuid default null)
returns text
language sql volatile
as $$
select queen.push(queue, partition, payload::text, transaction_id, headers, trace_id)
$$;
