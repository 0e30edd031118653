create function :api.explain_partition(partition_id uuid, group_name text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns why the next message of a partition is not delivered to a group, or that it will be.
-- Params:   the partition; the group.
-- Returns:  as explain_delivery; null if the partition does not exist.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    perform :api.select_shard(:api.shard_of(explain_partition.partition_id));
    return :api.explain_delivery(explain_partition.partition_id, explain_partition.group_name)::text;
end
$$;
