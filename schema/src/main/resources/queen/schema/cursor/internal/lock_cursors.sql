create function :api.lock_cursors(partition_ids uuid[], group_names text[])
returns void
language plpgsql volatile
as $$
-- Promise:  locks cursors until the transaction ends. The next statement of the caller reads their current version.
-- Params:   arrays of equal length; a (partition, group) without a cursor is skipped.
-- Returns:  nothing.
-- Locks:    cursor rows, ascending by (partition_id, group_name); waits.
-- Writes:   nothing
#variable_conflict use_column
begin
    perform
    from (
        select i.*
        from unnest(partition_ids, group_names) as i (partition_id, group_name)
        order by i.partition_id, i.group_name
    ) i
    cross join lateral (
        select 1
        from cursor c
        where c.partition_id = i.partition_id and c.group_name = i.group_name
        order by c.generation desc
        limit 1
        for update
    ) c;
end
$$;
