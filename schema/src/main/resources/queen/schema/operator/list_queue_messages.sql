create function :api.list_queue_messages(queue text, page bigint, skipped bigint)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  a page of a queue's messages, newest first.
-- Params:   the queue's name; how many, and how many before them.
-- Returns:  an array; null when there is no such queue.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    if not exists (select 1 from queen.queue q where q.name = list_queue_messages.queue) then
        return null;
    end if;
    return (
        select coalesce(json_agg(json_build_object(
            'id', f.id, 'transactionId', f.transaction_id, 'partitionId', f.partition_id,
            'queuePath', list_queue_messages.queue || '/' || f.partition_name, 'queue', list_queue_messages.queue,
            'partition', f.partition_name, 'status', f.status, 'createdAt', :api.iso_millis(f.created_at))
            order by f.created_at desc, f.partition_id, f.message_offset desc), '[]')::text
        from (
            select m.*
            from :api.newest_messages(list_queue_messages.queue, null, null, null, null, null, null, page, skipped) m
            order by m.created_at desc, m.partition_id, m.message_offset desc
            limit page
            offset skipped
        ) f);
end
$$;
