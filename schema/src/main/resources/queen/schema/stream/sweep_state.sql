create function :api.sweep_state(rows_max int)
returns int
language plpgsql volatile
as $$
-- Promise:  deletes state that resets and deletions left behind, in parts.
-- Params:   rows_max: the maximum number of rows to delete.
-- Returns:  the number of deleted rows; if it is rows_max, there may be more.
-- Locks:    stream_garbage rows, never waiting.
-- Writes:   stream_state, stream_garbage
#variable_conflict use_column
declare
    old     uuid;
    part    int;
    removed int := 0;
begin
    for old in select g.state_id from stream_garbage g order by g.created_at limit 100 for update skip locked loop
        delete from stream_state s
        where s.ctid = any (array(select s.ctid from stream_state s where s.state_id = old limit rows_max - removed));
        get diagnostics part = row_count;
        removed := removed + part;
        exit when removed >= rows_max;
        delete from stream_garbage g where g.state_id = old;
    end loop;
    return removed;
end
$$;
