create function :api.delete_orphan_keys(partition_ids uuid[], group_names text[])
returns void
language plpgsql volatile
as $$
-- Promise:  deletes cursor keys that have no cursor, as after a restore of some tables, so that the cursor can be created again.
-- Params:   arrays of equal length.
-- Returns:  nothing.
-- Locks:    the cursor_key rows that are deleted.
-- Writes:   cursor_key
#variable_conflict use_column
begin
    delete from cursor_key k
    using unnest(partition_ids, group_names) as i (partition_id, group_name)
    where k.partition_id = any (array[i.partition_id])
      and k.group_name = i.group_name
      -- A cursor and its key are inserted and deleted in one transaction, so a visible key without a cursor is an orphan.
      and not exists (select 1 from cursor v where v.partition_id = i.partition_id and v.group_name = i.group_name offset 0);
end
$$;
