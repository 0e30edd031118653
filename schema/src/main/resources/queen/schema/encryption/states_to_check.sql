create function :api.states_to_check(of_state uuid, after_partition uuid, after_key text, page int)
returns table (partition_id uuid, key text, value bytea, is_sealed boolean)
language plpgsql stable
as $$
-- Promise:  returns a page of the state of a stream query in this shard.
-- Params:   the state; the partition and key of the last row of the previous page; the page size.
-- Returns:  one row per value, ascending by partition and key; the value is empty if it is not encrypted.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select s.partition_id, s.key, case when s.is_sealed then s.value else '' end, s.is_sealed
    from stream_state s
    where s.state_id = of_state
      and (s.partition_id, s.key) > (after_partition, after_key)
    order by s.partition_id, s.key
    limit page;
end
$$;
