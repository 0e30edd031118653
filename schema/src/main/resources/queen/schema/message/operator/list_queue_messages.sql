create function :api.list_queue_messages(queue text, page bigint, skipped bigint)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns a page of the messages of a queue, newest first.
-- Params:   the name of the queue; page: the page size; skipped: number of rows before the page.
-- Returns:  an array; null if the queue does not exist. A message with isOmitted has no id and transactionId, as in list_messages.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    if not exists (select 1 from queen.queue q where q.name = list_queue_messages.queue) then
        return null;
    end if;
    return (
        with listed as materialized (
            select m.*, (row_number() over (order by m.created_at desc, m.partition_id, m.message_offset desc))::int as place
            from (
                select m.*
                from :api.newest_messages(list_queue_messages.queue, null, null, null, null, null, null, page, skipped) m
                order by m.created_at desc, m.partition_id, m.message_offset desc
                limit page
                offset skipped
            ) m
        ), head as materialized (
            select h.*
            from (
                select array_agg(l.partition_id order by l.place) as partition_ids, array_agg(l.message_offset order by l.place) as message_offsets
                from listed l
            ) k
            cross join lateral :api.message_heads(coalesce(k.partition_ids, '{}'), k.message_offsets) h
        )
        select coalesce(json_agg(json_build_object(
            'id', h.id, 'transactionId', h.transaction_id, 'partitionId', l.partition_id,
            'queuePath', list_queue_messages.queue || '/' || l.partition_name, 'queue', list_queue_messages.queue,
            'partition', l.partition_name, 'status', l.status, 'createdAt', :api.iso_millis(l.created_at), 'isOmitted', h.index is null)
            order by l.place), '[]')::text
        from listed l
        left join head h on h.index = l.place);
end
$$;
