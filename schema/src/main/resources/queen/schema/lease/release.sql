create function :api.release(partition_ids uuid[], group_names text[], lease_ids uuid[])
returns table (index int, is_busy boolean)
language plpgsql volatile
as $$
-- Promise:  releases each lease that still owns its cursor, as if it had never been acquired: no attempt is charged. An expired lease is
--           released, too, if expire has not ended it: its messages never reached a consumer. A cursor that another transaction has locked
--           is not changed; repeat the call for it.
-- Params:   arrays of equal length, each (partition, group) once.
-- Returns:  the input position of each lease that was released, and of each whose cursor is busy.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor
#variable_conflict use_column
declare
    locked  bigint[] := :api.lock_free_cursors(partition_ids, group_names);
begin
    return query
    update cursor c
    set lease_id = null,
        lease_until = null,
        lease_end = null,
        :written(c)
    from unnest(partition_ids, group_names, lease_ids) with ordinality as i (partition_id, group_name, lease_id, index)
    cross join lateral :newest_cursor_row(i.partition_id, i.group_name) n
    where i.index = any (locked)
      and c.ctid = n.tid
      and n.lease_id = i.lease_id
    returning i.index::int, false;

    if cardinality(locked) < cardinality(partition_ids) then
        return query
        select i.index::int, true
        from unnest(partition_ids, group_names, lease_ids) with ordinality as i (partition_id, group_name, lease_id, index)
        cross join lateral :newest_cursor(i.partition_id, i.group_name) c
        where i.index <> all (locked)
          and c.lease_id = i.lease_id;
    end if;
end
$$;
