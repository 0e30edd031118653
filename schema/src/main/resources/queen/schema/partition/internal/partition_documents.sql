create function :api.partition_documents(partition_ids uuid[], group_name text)
returns table (index int, document json, total bigint, pending bigint, processing bigint, partition queen.partition)
language plpgsql stable
as $$
-- Promise:  returns partitions as lists show them: their counts, and the state of the group there, or of the slowest group if none is
--           given, even if it has no cursor in the partition yet.
-- Params:   the partitions; the group, or null.
-- Returns:  one row per existing partition; pending does not include processing.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    groups text[];
begin
    groups := array(
        select coalesce(partition_documents.group_name, r.group_name, '__QUEUE_MODE__')
        from generate_subscripts(partition_ids, 1) as i (index)
        left join (
            select distinct on (r.index) r.index, r.group_name
            from :api.readers_of(case when partition_documents.group_name is null then partition_ids end) r
            order by r.index, r.pending desc, r.group_name
        ) r on r.index = i.index
        order by i.index);

    return query
    select s.index, json_build_object(
               'id', p.id,
               'partitionId', p.id,
               'name', p.name,
               'partition', p.name,
               'queue', q.name,
               'createdAt', :api.iso_millis(p.created_at),
               'lastPushAt', :api.iso_millis(p.last_push_at),
               'head', p.head,
               'tail', p.tail,
               'messages', json_build_object('total', t.total, 'pending', s.pending - s.processing, 'processing', s.processing),
               'consumerGroup', groups[s.index],
               'state', s.state,
               'until', :api.iso_millis(s.until_at),
               'offset', s.first,
               'offsetLag', s.pending,
               'timeLagSeconds', :api.seconds_since(:api.due_since(
                   s.oldest_at, q.delayed_processing_s, q.window_buffer_s, p.last_push_at, (s.reader).retry_at)),
               'leaseId', s.lease_id,
               'leaseExpiresAt', :api.iso_millis(s.lease_until),
               'attempts', s.attempts,
               'error', s.error,
               'paused', p.is_paused),
           t.total, s.pending - s.processing, s.processing, s.partition
    from :api.delivery_states(partition_ids, groups) s
    cross join lateral (select (s.partition).*) p
    join queen.queue q on q.id = any (array[p.queue_id])
    cross join lateral (select :api.unread(p.tail, p.head, null, p.removed) as total) t;
end
$$;
