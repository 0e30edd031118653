create function :api.metric_families()
returns table (name text, kind text, help text)
language plpgsql immutable
as $$
-- Promise:  returns the metrics of the database with their types and help texts.
-- Params:   none.
-- Returns:  one row per metric.
-- Locks:    none.
-- Writes:   nothing
begin
    return query
    values
        ('queen_cluster_push_requests_total', 'counter', 'Push requests, over all servers.'),
        ('queen_cluster_pop_requests_total', 'counter', 'Pop requests, over all servers.'),
        ('queen_cluster_ack_requests_total', 'counter', 'Ack requests, over all servers.'),
        ('queen_cluster_transactions_total', 'counter', 'Committed transactions, over all servers.'),
        ('queen_cluster_push_messages_total', 'counter', 'Stored messages, over all servers.'),
        ('queen_cluster_pop_messages_total', 'counter', 'Delivered messages, over all servers.'),
        ('queen_cluster_ack_messages_total', 'counter', 'Acknowledged messages, completed or failed, over all servers.'),
        ('queen_cluster_ack_total', 'counter', 'Acknowledged messages by result, over all servers.'),
        ('queen_cluster_db_errors_total', 'counter', 'Failed database calls, over all servers.'),
        ('queen_cluster_dlq_total', 'counter', 'Messages that became dead letters, for any reason, of all existing and deleted queues.'),
        ('queen_dlq_depth', 'gauge', 'Stored dead letters of all queues.'),
        ('queen_dlq_depth_by_queue', 'gauge', 'Stored dead letters of a queue, as queen_dead_letters.'),
        ('queen_maintenance_mode_enabled', 'gauge', '1 while pushes are switched off for maintenance.'),
        ('queen_pop_maintenance_mode_enabled', 'gauge', '1 while pops are switched off for maintenance.'),
        ('queen_encrypted_queues', 'gauge', 'Queues whose payloads are stored encrypted.'),
        ('queen_encryption_messages', 'gauge', 'Stored messages of queues that are or were encrypted, by key; '
            'clear: in clear text, unchecked: not read by upkeep yet.'),
        ('queen_encryption_dead_letters', 'gauge', 'Dead letters of such queues that are not encrypted with the current key, by key.'),
        ('queen_encryption_stream_states', 'gauge', 'Values of stream queries over such queues that are not encrypted with the current key, by key.'),
        ('queen_stats_age_seconds', 'gauge', 'Age of the sums from which depth and lag are read.'),
        ('queen_series_omitted', 'gauge', 'Queues, and pairs of a queue and a group, that are summed up as _other (METRICS_MAX_SERIES).'),
        ('queen_queue_depth', 'gauge', 'Messages that the slowest group of their partition has not finished; all messages in a partition without groups.'),
        ('queen_queue_max_size', 'gauge', 'The depth at which the queue refuses pushes (maxSize); only for queues with a limit.'),
        ('queen_dead_letters', 'gauge', 'Stored dead letters.'),
        ('queen_dead_lettered_total', 'counter', 'Messages that became dead letters, by reason, since the queue was created.'),
        ('queen_push_refused_total', 'counter', 'Refused messages by reason, since the queue was created.'),
        ('queen_group_lag_messages', 'gauge', 'Messages that the group has not finished.'),
        ('queen_group_lagging_partitions', 'gauge', 'Partitions with messages that the group has not finished.'),
        ('queen_group_oldest_unread_seconds', 'gauge', 'Seconds for which the oldest unfinished message of the group has been due; '
            '0 if there is none, and while the group or its queue is paused.'),
        ('queen_queue_push_requests_per_minute', 'gauge', 'Push requests in the last full minute.'),
        ('queen_queue_push_messages_per_minute', 'gauge', 'Stored messages in the last full minute.'),
        ('queen_queue_pop_messages_per_minute', 'gauge', 'Delivered messages in the last full minute.'),
        ('queen_queue_pop_empty_per_minute', 'gauge', 'Empty pops in the last full minute.'),
        ('queen_queue_pop_lag_milliseconds', 'gauge', 'Age of messages at delivery in the last full minute; 0 if none was delivered.'),
        ('queen_queue_ack_per_minute', 'gauge', 'Acknowledged messages in the last full minute, by result.'),
        ('queen_queue_transactions_per_minute', 'gauge', 'Transactions on the queue in the last full minute.'),
        ('queen_queue_parked_consumers', 'gauge', 'Maximum number of concurrently waiting pops of each server in the last full minute, summed.'),
        ('queen_queue_metrics_age_seconds', 'gauge', 'Seconds since the end of the last full minute.'),
        ('queen_worker_event_loop_lag_milliseconds', 'gauge', 'Delay of the engine loop of a server in the last full minute.'),
        ('queen_worker_free_slots', 'gauge', 'Idle connections to PostgreSQL in the last full minute.'),
        ('queen_worker_db_connections', 'gauge', 'Connections of a server to PostgreSQL.'),
        ('queen_worker_job_queue_size', 'gauge', 'Requests that waited for a database call in the last full minute.'),
        ('queen_worker_backoff_size', 'gauge', 'Waiting pops of a server.'),
        ('queen_worker_jobs_done_per_minute', 'gauge', 'Database calls in the last full minute.'),
        ('queen_worker_requests_per_minute', 'gauge', 'Requests in the last full minute, by operation.'),
        ('queen_worker_messages_per_minute', 'gauge', 'Messages in the last full minute, by operation.'),
        ('queen_worker_ack_per_minute', 'gauge', 'Acknowledged messages in the last full minute, by result.'),
        ('queen_worker_lag_milliseconds', 'gauge', 'Age of messages at delivery by the server in the last full minute.'),
        ('queen_worker_db_errors_per_minute', 'gauge', 'Failed database calls in the last full minute.'),
        ('queen_worker_dlq_per_minute', 'gauge', 'Messages that became dead letters in the last full minute, added with the report of this server.'),
        ('queen_worker_metrics_age_seconds', 'gauge', 'Seconds since the last report of the server.');
end
$$;
