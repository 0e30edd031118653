create function :api.dead_letters_at(partition_ids uuid[], group_names text[], message_offsets bigint[])
returns setof queen.dead_letter
language plpgsql stable
as $$
-- Promise:  dead letters with all that is kept of them.
-- Params:   arrays of equal length, their keys.
-- Returns:  the dead letters that are there, in no order.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    before  text := current_setting('search_path');
    part    record;
begin
    for part in select * from :api.shard_parts(partition_ids) loop
        perform :api.enter(part.shard);
        return query
        select d.*
        from unnest(array(select partition_ids[i] from unnest(part.indexes) i), array(select group_names[i] from unnest(part.indexes) i),
                    array(select message_offsets[i] from unnest(part.indexes) i)) as i (partition_id, group_name, message_offset)
        join dead_letter d on d.partition_id = any (array[i.partition_id])
            and d.group_name = i.group_name and d.message_offset = i.message_offset;
    end loop;
    perform set_config('search_path', before, true);
end
$$;
