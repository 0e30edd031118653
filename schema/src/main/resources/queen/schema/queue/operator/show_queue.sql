create function :api.show_queue(queue text, "limit" bigint, after_name text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns a queue, its partitions by name, and the totals over all of them: exact if they fit on one page, otherwise as last
--           counted.
-- Params:   limit: the page size; after_name: only partitions after this name, for the next page.
-- Returns:  the object of the contract, with options and next; null if the queue does not exist. completed: stored, and finished by every
--           group; failed: unfinished messages that failed at least once; deadLetter: dead letters, at most 10,000 per partition.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    shown       queen.queue;
    sums        record;
    partitions  uuid[];
    last_name   text;
    listed      json;
    totals      record;
begin
    select q.* into shown from queen.queue q where q.name = show_queue.queue;
    if not found then
        return null;
    end if;
    select coalesce(array_agg(k.id order by k.name), '{}'), max(k.name)
    into partitions, last_name
    from :api.partition_page(shown.id, coalesce(after_name, ''), show_queue."limit") k;

    select coalesce(json_agg(json_build_object(
               'id', p.id, 'name', p.name, 'createdAt', :api.iso_millis(p.created_at), 'paused', p.is_paused,
               'stats', json_build_object('total', d.total, 'pending', d.pending, 'processing', d.processing,
                   'completed', d.total - d.pending - d.processing, 'failed', x.failed, 'deadLetter', x.dead),
               'oldestMessage', :api.iso_millis(x.oldest_at),
               'newestMessage', case when p.tail < p.head then :api.iso_millis(p.last_push_at) end) order by d.index), '[]') as list,
           coalesce(sum(d.total), 0) as total, coalesce(sum(d.pending), 0) as pending,
           coalesce(sum(d.processing), 0) as processing, coalesce(sum(x.failed), 0) as failed
    into totals
    from :api.partition_documents(partitions, null) d
    join :api.partition_failures(partitions) x on x.index = d.index
    cross join lateral (select (d.partition).*) p;
    listed := totals.list;
    if after_name is not null or cardinality(partitions) >= show_queue."limit" then
        select d.* into sums from queue_depth d where d.queue_id = shown.id;
        totals.total := coalesce(sums.total, 0);
        totals.pending := coalesce(sums.pending, 0);
        totals.processing := coalesce(sums.processing, 0);
    end if;

    return json_build_object(
        'id', shown.id, 'name', shown.name, 'namespace', shown.namespace, 'task', shown.task,
        'createdAt', :api.iso_millis(shown.created_at), 'paused', shown.is_paused,
        'options', json_build_object(
            'leaseTime', shown.lease_time_s, 'retryLimit', shown.retry_limit, 'retryDelay', shown.retry_delay_ms,
            'retryBackoff', shown.retry_backoff,
            'delayedProcessing', shown.delayed_processing_s, 'windowBuffer', shown.window_buffer_s,
            'priority', shown.priority, 'maxSize', shown.max_size, 'ttl', shown.ttl_s,
            'maxWaitTimeSeconds', shown.max_wait_time_s, 'retentionEnabled', shown.retention_enabled,
            'retentionSeconds', shown.retention_s, 'completedRetentionSeconds', shown.completed_retention_s,
            'encryptionEnabled', shown.encryption_enabled, 'deadLetterQueue', shown.dead_letter_queue,
            'dlqAfterMaxRetries', shown.dlq_after_max_retries, 'dedupWindowSeconds', shown.dedup_window_s),
        'pausedGroups', (
            select coalesce(json_agg(g.group_name order by g.group_name), '[]') from queen.group_pause g where g.queue_id = shown.id),
        'operations', :api.operation_documents(shown.id, 100),
        'partitions', listed,
        'next', case when cardinality(partitions) >= show_queue."limit" then last_name end,
        'totals', json_build_object(
            'total', totals.total, 'pending', totals.pending, 'processing', totals.processing,
            'completed', totals.total - totals.pending - totals.processing, 'failed', totals.failed,
            'deadLetter', :api.dead_letter_count(array[shown.id])))::text;
end
$$;
