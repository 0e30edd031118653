create function :api.dead_letters_at(partition_ids uuid[], group_names text[], message_offsets bigint[], room bigint default 4 << 20)
returns table (index int, dead queen.dead_letter, omitted_bytes int)
language plpgsql stable
as $$
-- Promise:  dead letters with all that is kept of them, as long as their lines fit into room together. Of a line that does not fit only the
--           beginning is read; it takes no room of the others.
-- Params:   arrays of equal length, their keys in the order of the list; room: how many bytes of lines may be read.
-- Returns:  the dead letters that are there, in no order, each with its position. omitted_bytes: null, or the length of a line that did not
--           fit: the line has null for its payload then.
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
        perform :api.enter(part.shard);
        for here in
            -- The length is known without reading the line.
            select i.index, octet_length(d.line) as bytes
            from unnest(part.indexes) as i (index)
            join dead_letter d on d.partition_id = any (array[partition_ids[i.index]])
                and d.group_name = group_names[i.index] and d.message_offset = message_offsets[i.index]
        loop
            sizes[here.index] := here.bytes;
        end loop;
    end loop;
    foreach size in array sizes loop
        fits := fits || coalesce(size <= room, false);
        room := room - case when size <= room then size else 0 end;
    end loop;
    for part in select * from :api.shard_parts(partition_ids) loop
        perform :api.enter(part.shard);
        return query
        -- The row is built without the whole line: PostgreSQL would read it to pass it on.
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
