create function :api.record_state_check(of_queue uuid, key_ids text[], counts bigint[], sizes bigint[])
returns int
language plpgsql volatile
as $$
-- Promise:  records how many values of the state of stream queries that read the queue are not encrypted with the current key, in this
--           shard.
-- Params:   the queue; arrays of equal length, one element per other key.
-- Returns:  the number of keys.
-- Locks:    the rows it writes.
-- Writes:   queen.key_cover
#variable_conflict use_column
begin
    delete from queen.key_cover c where c.queue_id = of_queue and c.shard = current_schema() and c.kind = 'stream_state';
    insert into queen.key_cover (queue_id, shard, kind, key_id, is_bound, count, bytes, counted_at)
    select of_queue, current_schema(), 'stream_state', i.key_id, false, i.count, i.size, clock_timestamp()
    from unnest(key_ids, counts, sizes) as i (key_id, count, size);
    return cardinality(key_ids);
end
$$;
