create function :api.is_partition_encrypted(partition_id uuid)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns whether messages of the partition are stored encrypted.
-- Params:   the partition.
-- Returns:  true or false, as JSON; false if the partition does not exist.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    perform :api.select_shard(:api.shard_of(is_partition_encrypted.partition_id));
    return exists (
        select from partition_key k
        join queen.queue q on q.id = any (array[k.queue_id])
        where k.id = is_partition_encrypted.partition_id and q.encryption_enabled)::text;
end
$$;
