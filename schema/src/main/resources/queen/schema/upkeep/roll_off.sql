create function :api.roll_off(keep_days int, rows_max int)
returns int
language plpgsql volatile
as $$
-- Promise:  deletes rows older than keep_days from the tables listed in queen.roll_off, and those of roll_off_numbers.
-- Params:   keep_days; rows_max: how many rows to delete of each table; rows of one time are deleted together.
-- Returns:  at least the maximum number of rows deleted of one table; if it is not less than rows_max, there may be more.
-- Locks:    the rows.
-- Writes:   the tables named in queen.roll_off; what roll_off_numbers writes
#variable_conflict use_column
declare
    before      timestamptz := clock_timestamp() - make_interval(days => keep_days);
    until       timestamptz;
    old         record;
    removed     int;
    removed_max int := 0;
begin
    for old in select r.table_name, r.time_column from queen.roll_off r order by r.table_name loop
        -- By time, because a row of a distributed table has a different ctid on each node.
        execute format('select max(o.at) from (select %2$I as at from %1$s where %2$I < $1 order by %2$I limit $2) o',
                       old.table_name::regclass, old.time_column)
        into until using before, rows_max;
        continue when until is null;
        execute format('delete from %1$s where %2$I <= $1', old.table_name::regclass, old.time_column) using until;
        get diagnostics removed = row_count;
        removed_max := greatest(removed_max, removed);
    end loop;
    return greatest(removed_max, :api.roll_off_numbers(keep_days, rows_max))::int;
end
$$;
