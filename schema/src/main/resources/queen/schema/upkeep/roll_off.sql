create function :api.roll_off(keep_days int, rows_max int)
returns int
language plpgsql volatile
as $$
-- Promise:  rows that are older than that leave the tables named in queen.roll_off, and those of roll_off_numbers.
-- Params:   the days; how many rows to remove of each table: a moment of which some go, goes as a whole.
-- Returns:  at least the most rows that were removed of one table: as long as it is not below rows_max, there may be more.
-- Locks:    the rows.
-- Writes:   the tables named in queen.roll_off; what roll_off_numbers writes
#variable_conflict use_column
declare
    before  timestamptz := clock_timestamp() - make_interval(days => keep_days);
    until   timestamptz;
    old     record;
    removed int;
    most    int := 0;
begin
    for old in select r.table_name, r.time_column from queen.roll_off r order by r.table_name loop
        -- Up to a moment, since where a table is on several nodes, its rows are in other places on each of them.
        execute format('select max(o.at) from (select %2$I as at from %1$s where %2$I < $1 order by %2$I limit $2) o',
                       old.table_name::regclass, old.time_column)
        into until using before, rows_max;
        continue when until is null;
        execute format('delete from %1$s where %2$I <= $1', old.table_name::regclass, old.time_column) using until;
        get diagnostics removed = row_count;
        most := greatest(most, removed);
    end loop;
    return greatest(most, :api.roll_off_numbers(keep_days, rows_max))::int;
end
$$;
