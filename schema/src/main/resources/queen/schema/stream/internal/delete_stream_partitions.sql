create function :api.delete_stream_partitions(partition_ids uuid[])
returns void
language plpgsql volatile
as $$
-- Promise:  deletes the state and the cycles of all queries in these partitions.
-- Params:   the partitions, which the caller has locked and deletes.
-- Returns:  nothing.
-- Locks:    stream_partition rows; what add_counts locks.
-- Writes:   stream_partition, stream_state, stream_count
#variable_conflict use_column
declare
    gone record;
begin
    for gone in
        with gone as (
            delete from stream_partition l where l.partition_id = any (partition_ids) returning l.*
        )
        select q.state_id, g.*
        from gone g
        cross join lateral (select q.state_id from queen.stream_query q where q.id = g.query_id offset 0) q
    loop
        delete from stream_state s where s.state_id = gone.state_id and s.partition_id = gone.partition_id;
        -- A partition is counted from its first cycle on.
        perform :api.add_counts(gone.query_id, case when gone.cycles > 0 then -1 else 0 end, -gone.state_rows, -gone.state_bytes, 0, 0, 0, 0, null);
    end loop;
end
$$;
