create function :api.reset_state(query_id uuid)
returns bigint
language plpgsql volatile
set search_path = queen, pg_temp
as $$
-- Promise:  resets the state and the cycles of the query in all partitions; its old rows are deleted later.
-- Params:   the query; the caller has locked its queen.stream_query row, so that no cycle is in progress.
-- Returns:  the number of its state rows.
-- Locks:    the stream_partition and stream_count rows, shard by shard.
-- Writes:   queen.stream_query, stream_partition, stream_count, stream_garbage
#variable_conflict use_column
declare
    old_state   uuid;
    new_state   uuid := gen_random_uuid();
    at          timestamptz := clock_timestamp();
    given_up    bigint := 0;
    here        bigint;
    shard       text;
begin
    select q.state_id into old_state from queen.stream_query q where q.id = reset_state.query_id;
    update queen.stream_query q
    set state_id = new_state,
        reset_at = at
    where q.id = reset_state.query_id;
    foreach shard in array :api.shards() loop
        perform :api.select_shard(shard);
        insert into stream_garbage (state_id) values (old_state);
        delete from stream_partition l where l.query_id = reset_state.query_id;
        with gone as (
            delete from stream_count c where c.query_id = reset_state.query_id returning c.state_rows
        )
        select coalesce(sum(g.state_rows), 0) into here from gone g;
        given_up := given_up + here;
    end loop;
    return given_up;
end
$$;
