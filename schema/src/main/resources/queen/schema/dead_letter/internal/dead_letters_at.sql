create function :api.dead_letters_at(partition_ids uuid[], group_names text[], message_offsets bigint[], bytes_max bigint default 4 << 20)
returns table (index int, dead queen.dead_letter, omitted_bytes int)
language plpgsql stable
as $$
-- Promise:  returns dead letters with their lines, up to bytes_max bytes of lines in total. Of a line that exceeds the rest only the
--           beginning is read, and it does not count.
-- Params:   arrays of equal length, the keys in the order of the list; bytes_max: how many bytes of lines may be read.
-- Returns:  the existing dead letters, in no order, each with its position. omitted_bytes: null, or the length of an omitted line, whose
--           payload is then null.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    before  text := current_setting('search_path');
    sizes   bigint[] := array_fill(null::bigint, array[cardinality(partition_ids)]);
    fits    boolean[] := '{}';
    size    bigint;
    part    record;
    here    record;
begin
    for part in select * from :api.shard_parts(partition_ids) loop
        perform :api.select_shard(part.shard);
        for here in
            -- PostgreSQL knows the length without reading the line.
            select i.index, octet_length(d.line) as bytes
            from unnest(part.indexes) as i (index)
            join dead_letter d on d.partition_id = any (array[partition_ids[i.index]])
                and d.group_name = group_names[i.index] and d.message_offset = message_offsets[i.index]
        loop
            sizes[here.index] := here.bytes;
        end loop;
    end loop;
    foreach size in array sizes loop
        fits := fits || coalesce(size <= bytes_max, false);
        bytes_max := bytes_max - case when size <= bytes_max then size else 0 end;
    end loop;
    -- With a shard selected, shard_parts would return that shard for all partitions.
    perform set_config('search_path', before, true);
    for part in select * from :api.shard_parts(partition_ids) loop
        perform :api.select_shard(part.shard);
        return query
        -- The row is built without the whole line: PostgreSQL would read it to return it.
        select i.index,
               row(d.partition_id, d.group_name, d.message_offset, d.queue_id, d.partition_name, d.transaction_id,
                   case when fits[i.index] then d.line else convert_to(:api.line_head(d.line), 'UTF8') end,
                   d.reason, d.error, d.attempts, d.created_at, d.failed_at)::queen.dead_letter,
               case when not fits[i.index] then octet_length(d.line) end
        from unnest(part.indexes) as i (index)
        join dead_letter d on d.partition_id = any (array[partition_ids[i.index]])
            and d.group_name = group_names[i.index] and d.message_offset = message_offsets[i.index];
    end loop;
    perform set_config('search_path', before, true);
end
$$;
