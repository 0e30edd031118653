create function :api.list_state(name text, partition text, prefix text, after text, "limit" bigint)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns a page of the state of a stream query in one partition, by key.
-- Params:   the names of the query and the partition; prefix: of the keys, taken literally, null for all; after: only keys after this one,
--           null for the first page; limit: the page size.
-- Returns:  {rows: [{key, value, isEncrypted, windowEnd, bytes, updatedAt}]}; an encrypted value, and one of more than 64 KiB, is null.
--           Null if there is no such query, or it has never processed that partition.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    place record;
begin
    select q.id, q.state_id, :api.partition_id(u.id, list_state.partition) as partition_id
    into place
    from queen.stream_query q
    join queen.queue u on u.name = q.source_queue
    where q.name = list_state.name;
    if not found then
        return null;
    end if;
    perform :api.select_shard(:api.shard_of(place.partition_id));
    if not exists (select 1 from stream_partition l where l.query_id = place.id and l.partition_id = place.partition_id) then
        return null;
    end if;
    return (
        select json_build_object('rows', coalesce(json_agg(json_build_object(
            'key', s.key,
            'value', case when not s.is_sealed and octet_length(s.value) <= 65536 then convert_from(s.value, 'UTF8')::json end,
            'isEncrypted', s.is_sealed,
            'windowEnd', s.window_end,
            'bytes', octet_length(s.value),
            'updatedAt', :api.iso_millis(s.updated_at)
        ) order by s.key), '[]'))::text
        from (
            select s.*
            from stream_state s
            where s.state_id = place.state_id
              and s.partition_id = place.partition_id
              and s.key > coalesce(list_state.after, '')
              and s.key >= coalesce(list_state.prefix, '')
              -- chr(1114111) is the last character, so every key with the prefix is below this bound.
              and s.key < coalesce(list_state.prefix, '') || repeat(chr(1114111), 8)
              and starts_with(s.key, coalesce(list_state.prefix, ''))
            order by s.key
            limit list_state."limit"
        ) s);
end
$$;
