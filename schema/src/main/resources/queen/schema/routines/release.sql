create function :api.release(partition_ids uuid[], group_names text[], lease_ids uuid[])
returns table (index int, is_busy boolean)
language plpgsql volatile
as $$
-- Promise:  gives back each lease that is still live, as if it had never been given: nothing is counted against a message. A cursor
--           that somebody is working on at this moment stays as it is: come back for it.
-- Params:   arrays of equal length, each (lane, group) once.
-- Returns:  the input position of each lease that was given back, and of each whose cursor is busy.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor
#variable_conflict use_column
declare
    locked  bigint[] := :api.lock_free_cursors(partition_ids, group_names);
    -- Read after the locks were taken.
    at      timestamptz := clock_timestamp();
begin
    return query
    update cursor c
    set lease_id = null,
        lease_until = null,
        lease_end = null,
        :written(c)
    from unnest(partition_ids, group_names, lease_ids) with ordinality as i (partition_id, group_name, lease_id, index)
    cross join lateral (
        select v.ctid as tid, v.lease_id, v.lease_until from cursor v
        where v.partition_id = i.partition_id and v.group_name = i.group_name
        order by v.generation desc limit 1
    ) n
    where i.index = any (locked)
      and c.ctid = n.tid
      and n.lease_id = i.lease_id
      and n.lease_until > at
    returning i.index::int, false;

    if cardinality(locked) < cardinality(partition_ids) then
        return query
        select i.index::int, true
        from unnest(partition_ids, group_names, lease_ids) with ordinality as i (partition_id, group_name, lease_id, index)
        cross join lateral (
            select v.* from cursor v
            where v.partition_id = i.partition_id and v.group_name = i.group_name
            order by v.generation desc limit 1
        ) c
        where i.index <> all (locked)
          and c.lease_id = i.lease_id;
    end if;
end
$$;
