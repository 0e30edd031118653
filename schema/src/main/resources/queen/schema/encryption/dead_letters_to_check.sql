create function :api.dead_letters_to_check(
    of_queue uuid, after_at timestamptz, after_partition uuid, after_group text, after_offset bigint, page int)
returns table (failed_at timestamptz, partition_id uuid, group_name text, message_offset bigint, line bytea, error text)
language plpgsql stable
as $$
-- Promise:  returns a page of the dead letters of a queue in this shard, oldest failure first, at most about four megabytes.
-- Params:   the queue; the last dead letter of the previous page; the page size.
-- Returns:  one row per dead letter.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select d.failed_at, d.partition_id, d.group_name, d.message_offset, d.line, d.error
    from (
        select d.*, sum(octet_length(d.line)) over (
                   order by d.failed_at, d.partition_id, d.group_name, d.message_offset rows unbounded preceding) - octet_length(d.line) as before
        from (
            select d.*
            from dead_letter d
            where d.queue_id = of_queue
              and d.failed_at >= after_at
              and (d.failed_at, d.partition_id, d.group_name, d.message_offset) > (after_at, after_partition, after_group, after_offset)
            order by d.failed_at, d.partition_id, d.group_name, d.message_offset
            limit page
        ) d
    ) d
    where d.before < 4 << 20
    order by d.failed_at, d.partition_id, d.group_name, d.message_offset;
end
$$;
