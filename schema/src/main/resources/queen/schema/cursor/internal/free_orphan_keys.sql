create function :api.free_orphan_keys(partition_ids uuid[], group_names text[])
returns void
language plpgsql volatile
as $$
-- Promise:  keys of cursors that are not there, as after a restore of some tables, stand in nobody's way: such a cursor can be opened
--           anew.
-- Params:   arrays of equal length.
-- Returns:  nothing.
-- Locks:    the cursor_key rows that go.
-- Writes:   cursor_key
#variable_conflict use_column
begin
    delete from cursor_key k
    using unnest(partition_ids, group_names) as i (partition_id, group_name)
    where k.partition_id = any (array[i.partition_id])
      and k.group_name = i.group_name
      -- A cursor and its key come and go in one transaction, so whoever sees one without the other sees an orphan.
      and not exists (select 1 from cursor v where v.partition_id = i.partition_id and v.group_name = i.group_name offset 0);
end
$$;
