create function :api.lane_documents(partition_ids uuid[], group_name text)
returns table (index int, document json, total bigint, pending bigint, processing bigint)
language plpgsql stable
as $$
-- Promise:  lanes as lists show them: what is in them, and how the group stands there, or the slowest one where none is named.
-- Params:   the lanes; the group, or null.
-- Returns:  one row per existing lane; pending does not include processing.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    groups text[];
begin
    groups := array(
        select coalesce(lane_documents.group_name, k.group_name, '__QUEUE_MODE__')
        from unnest(partition_ids) with ordinality as i (partition_id, index)
        left join lateral (
            select k.group_name
            from :api.partition_of(i.partition_id) p
            cross join queen.cursor_key k
            cross join lateral :api.cursor_of(k.partition_id, k.group_name) c
            where k.partition_id = i.partition_id
            order by :api.unread(:api.first_unread(c.committed, p.tail, c.acked, p.removed), p.head, c.acked, p.removed) desc,
                     k.group_name
            limit 1
        ) k on lane_documents.group_name is null
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
               'timeLagSeconds', coalesce(greatest(0, floor(extract(epoch from clock_timestamp() - s.oldest_at)))::bigint, 0),
               'leaseId', s.lease_id,
               'leaseExpiresAt', :api.iso_millis(s.lease_until),
               'attempts', s.attempts,
               'error', s.error,
               'paused', p.is_paused),
           t.total, s.pending - s.processing, s.processing
    from :api.standing(partition_ids, groups) s
    cross join lateral :api.partition_of(partition_ids[s.index]) p
    join queen.queue q on q.id = any (array[p.queue_id])
    cross join lateral (select :api.unread(p.tail, p.head, null, p.removed) as total) t;
end
$$;
