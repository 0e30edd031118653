create function :api.record_trace(
    partition_id uuid, transaction_id text, group_name text, event_type text, data text, names text[], worker_id text)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  stores a trace of a message, with each of its names.
-- Params:   the partition; the transactionId; data: JSON, encrypted if the queue is encrypted (QN400 if it is not); names: the first 100
--           are stored.
-- Returns:  {success, traceId}; null if there is no such message.
-- Locks:    the queen.trace_name rows, ascending by name.
-- Writes:   queen.trace, queen.trace_mark, queen.trace_name
#variable_conflict use_column
declare
    new_id      uuid := gen_random_uuid();
    at          timestamptz := clock_timestamp();
    message     bigint;
    filed       text[] := array(select distinct n from unnest(names) n where n <> '' order by n limit 100);
begin
    perform :api.reject_dot_names(filed, 'a trace name');
    perform :api.select_shard(:api.shard_of(record_trace.partition_id));
    select m.message_offset into message from :api.find_message(record_trace.partition_id, record_trace.transaction_id) m;
    if message is null then
        return null;
    end if;
    if record_trace.data not like '"queen-sealed:j:%' and :api.is_partition_encrypted(record_trace.partition_id) = 'true' then
        raise exception 'the queue is encrypted, and this server has no QUEEN_ENCRYPTION_KEY to encrypt the trace with'
            using errcode = 'QN400';
    end if;

    insert into queen.trace (id, partition_id, message_offset, transaction_id, group_name, event_type, worker_id, data, names, created_at)
    values (new_id, record_trace.partition_id, message, record_trace.transaction_id, record_trace.group_name,
            record_trace.event_type, record_trace.worker_id, record_trace.data::json, filed, at);
    insert into queen.trace_name as n (name, trace_count, message_count, last_seen)
    select f.name, 1, case when exists (
               select 1 from queen.trace_mark m where m.partition_id = record_trace.partition_id
               and m.message_offset = message and m.name = f.name) then 0 else 1 end, at
    from unnest(filed) as f (name)
    order by f.name
    on conflict (name) do update
    set trace_count = n.trace_count + 1,
        message_count = n.message_count + excluded.message_count,
        last_seen = greatest(n.last_seen, excluded.last_seen);
    insert into queen.trace_mark (name, created_at, trace_id, partition_id, message_offset)
    select f.name, at, new_id, record_trace.partition_id, message
    from unnest(filed) as f (name);
    return json_build_object('success', true, 'traceId', new_id)::text;
end
$$;
