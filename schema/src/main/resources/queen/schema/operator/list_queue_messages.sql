create function :api.list_queue_messages(queue text, page bigint, skipped bigint)
returns text
language plpgsql stable
as $$
-- Promise:  a page of a queue's messages, newest first.
-- Params:   the queue's name; how many, and how many before them.
-- Returns:  an array; null when there is no such queue.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select (
            select coalesce(json_agg(json_build_object(
                'id', f.id, 'transactionId', f.transaction_id, 'partitionId', f.partition_id, 'queuePath', q.name || '/' || p.name,
                'queue', q.name, 'partition', p.name, 'status', f.status, 'createdAt', :api.iso_millis(f.created_at))
                order by f.created_at desc, f.partition_id, f.message_offset desc), '[]')::text
            from :api.newest_messages(q.name, null, null, null, null, null, null, page, skipped) f
            join partition p on p.id = f.partition_id)
        from queen.queue q
        where q.name = list_queue_messages.queue);
end
$$;
