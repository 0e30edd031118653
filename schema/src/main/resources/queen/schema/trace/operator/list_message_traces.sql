create function :api.list_message_traces(partition_id uuid, transaction_id text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns the traces of a message, oldest first, at most a thousand.
-- Params:   the partition; the transactionId.
-- Returns:  {traces}, empty if there is no such message.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    place bigint;
begin
    perform :api.select_shard(:api.shard_of(list_message_traces.partition_id));
    select m.message_offset into place
    from :api.find_message(list_message_traces.partition_id, list_message_traces.transaction_id) m;
    return (
        select json_build_object('traces', coalesce(json_agg(json_build_object(
            'id', t.id, 'event_type', t.event_type, 'data', t.data, 'consumer_group', t.group_name, 'worker_id', t.worker_id,
            'created_at', :api.iso_millis(t.created_at), 'trace_names', t.names) order by t.created_at, t.id), '[]'))::text
        from (
            select t.*
            from queen.trace t
            where t.partition_id = list_message_traces.partition_id
              and t.message_offset = place
            order by t.created_at, t.id
            limit 1000
        ) t);
end
$$;
