create function :api.failure_of(partition_id uuid, group_name text, message_offset bigint)
returns setof failure
language plpgsql stable
as $$
-- Promise:  what is known of the failed deliveries of a message that is not finished.
-- Params:   the lane, the group and the message.
-- Returns:  at most one row: the run of messages it belongs to.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select x.*
    from (
        select x.*
        from failure x
        where x.partition_id = failure_of.partition_id
          and x.group_name = failure_of.group_name
          and x.message_offset <= failure_of.message_offset
        order by x.message_offset desc
        limit 1
    ) x
    where x.message_offset + x.message_count > failure_of.message_offset;
end
$$;
