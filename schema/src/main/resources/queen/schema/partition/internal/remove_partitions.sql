create function :api.remove_partitions(partition_ids uuid[])
returns void
language plpgsql volatile
as $$
-- Promise:  the partitions are gone, with their messages, cursors, what failed in them and the state of stream queries.
--           Dead letters stay, and so do traces, which forget_traces removes: they are of no shard.
-- Params:   partitions whose rows and cursors the caller has locked.
-- Returns:  nothing.
-- Locks:    stream_partition rows, which a cycle holds for a moment.
-- Writes:   partition, partition_key, segment, cursor, cursor_key, failure, partition_upkeep, stream_partition, stream_state
#variable_conflict use_column
begin
    delete from segment s where s.partition_id = any (partition_ids);
    delete from cursor c where c.partition_id = any (partition_ids);
    delete from cursor_key k where k.partition_id = any (partition_ids);
    delete from failure x where x.partition_id = any (partition_ids);
    perform :api.forget_stream_partitions(partition_ids);
    delete from partition p where p.id = any (partition_ids);
    delete from partition_key k where k.id = any (partition_ids);
    delete from partition_upkeep u where u.partition_id = any (partition_ids);
end
$$;
