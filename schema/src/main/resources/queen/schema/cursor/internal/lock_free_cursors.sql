create function :api.lock_free_cursors(partition_ids uuid[], group_names text[], except_indexes bigint[] default '{}')
returns bigint[]
language plpgsql volatile
as $$
-- Promise:  locks cursors until the transaction ends, except those that another transaction has locked. The next statement of the caller
--           reads their current version.
-- Params:   arrays of equal length; except_indexes: positions to leave out.
-- Returns:  the input positions of the locked cursors. An existing cursor that is not among them is busy.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   nothing
#variable_conflict use_column
begin
    return array(
        select i.index
        from (
            select i.*
            from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
            where i.index <> all (except_indexes)
            order by i.partition_id, i.group_name
        ) i
        cross join lateral (
            select 1
            from cursor c
            where c.partition_id = i.partition_id and c.group_name = i.group_name
            order by c.generation desc
            limit 1
            for update skip locked
        ) c);
end
$$;
