create function :api.remove_partitions(partition_ids uuid[])
returns void
language plpgsql volatile
as $$
-- Promise:  deletes partitions with their messages, cursors, failures and the state of stream queries. Dead letters stay, and so do traces,
--           which delete_traces deletes: they are not in a shard.
-- Params:   partitions whose rows and cursors the caller has locked.
-- Returns:  nothing.
-- Locks:    stream_partition rows, which a cycle locks for a moment.
-- Writes:   partition, partition_key, segment, cursor, cursor_key, failure, partition_upkeep, stream_partition, stream_state
#variable_conflict use_column
begin
    delete from segment s where s.partition_id = any (partition_ids);
    delete from cursor c where c.partition_id = any (partition_ids);
    delete from cursor_key k where k.partition_id = any (partition_ids);
    delete from failure x where x.partition_id = any (partition_ids);
    perform :api.delete_stream_partitions(partition_ids);
    delete from partition p where p.id = any (partition_ids);
    delete from partition_key k where k.id = any (partition_ids);
    delete from partition_upkeep u where u.partition_id = any (partition_ids);
end
$$;
