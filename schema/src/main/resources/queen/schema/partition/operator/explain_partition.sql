create function :api.explain_partition(partition_id uuid, group_name text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  one answer to why the next message of a partition is not being delivered to a group.
-- Params:   the partition; the group.
-- Returns:  as explanation; null when there is no such partition.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    perform :api.enter(:api.shard_of(explain_partition.partition_id));
    return :api.explanation(explain_partition.partition_id, explain_partition.group_name)::text;
end
$$;
