create function :api.list_queues("limit" bigint, "offset" bigint, scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns queues with their message counts, newest first, from sums per queue; reads no partitions.
-- Params:   limit, offset: the page. scope: only these queues; null for all.
-- Returns:  {queues, total, pagination}; pending does not include processing; pushedPerSecond and ackedPerSecond: of the last full minute.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select json_build_object(
            'queues', coalesce(json_agg(json_build_object(
                'id', q.id,
                'name', q.name,
                'namespace', q.namespace,
                'task', q.task,
                'createdAt', :api.iso_millis(q.created_at),
                'partitions', coalesce(d.partitions, 0),
                'partitionCount', coalesce(d.partitions, 0),
                'messages', json_build_object('total', coalesce(d.total, 0), 'pending', coalesce(d.pending, 0),
                                              'processing', coalesce(d.processing, 0), 'deadLetter', coalesce(l.kept, 0)),
                'consumers', coalesce(c.consumers, 0),
                'pushedPerSecond', coalesce(round(r.pushed / 60.0, 2), 0),
                'ackedPerSecond', coalesce(round(r.acked / 60.0, 2), 0),
                'priority', q.priority,
                'leaseTime', q.lease_time_s,
                'retryLimit', q.retry_limit,
                'maxSize', q.max_size,
                'encryptionEnabled', q.encryption_enabled,
                'paused', q.is_paused
            ) order by q.created_at desc, q.name), '[]'),
            'total', (select count(*) from queen.queue q where scope is null or q.id = any (scope)),
            'pagination', json_build_object('limit', list_queues."limit", 'offset', list_queues."offset"),
            'computedAt', (select :api.iso_millis(nullif(t.computed_at, '-infinity')) from depth_turn t))::text
        from (
            select q.*
            from queen.queue q
            where scope is null or q.id = any (scope)
            order by q.created_at desc, q.name
            limit list_queues."limit" offset list_queues."offset"
        ) q
        left join queue_depth d on d.queue_id = q.id
        left join (
            select d.queue_id, sum(d.kept)::bigint as kept from :api.dead_letter_sums(scope) d group by d.queue_id
        ) l on l.queue_id = q.id
        left join (
            select c.queue_name, sum(c.consumers)::bigint as consumers from :api.current_consumers() c group by c.queue_name
        ) c on c.queue_name = q.name
        left join (
            select b.queue_id, sum(b.push_messages) as pushed, sum(b.ack_success + b.ack_failed) as acked
            from queen.queue_bucket b
            where b.minutes = 1
              and b.at = date_bin('1 minute', now(), 'epoch') - interval '1 minute'
            group by b.queue_id
        ) r on r.queue_id = q.id);
end
$$;
