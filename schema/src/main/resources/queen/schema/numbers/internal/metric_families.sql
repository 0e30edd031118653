create function :api.metric_families()
returns table (name text, kind text, help text)
language plpgsql immutable
as $$
-- Promise:  what each metric of the database is, for Prometheus and for people.
-- Params:   none.
-- Returns:  one row per metric: its name, its type, and what it means.
-- Locks:    nothing.
-- Writes:   nothing
begin
    return query
    values
        ('queen_cluster_push_requests_total', 'counter', 'Push requests, over all servers.'),
        ('queen_cluster_pop_requests_total', 'counter', 'Pop requests, over all servers.'),
        ('queen_cluster_ack_requests_total', 'counter', 'Ack requests, over all servers.'),
        ('queen_cluster_transactions_total', 'counter', 'Transactions that took effect, over all servers.'),
        ('queen_cluster_push_messages_total', 'counter', 'Messages stored, over all servers.'),
        ('queen_cluster_pop_messages_total', 'counter', 'Messages handed out, over all servers.'),
        ('queen_cluster_ack_messages_total', 'counter', 'Messages acknowledged, as completed or failed, over all servers.'),
        ('queen_cluster_ack_total', 'counter', 'Messages acknowledged, by result, over all servers.'),
        ('queen_cluster_db_errors_total', 'counter', 'Calls of PostgreSQL that failed, over all servers.'),
        ('queen_cluster_dlq_total', 'counter', 'Messages that became dead letters, for whatever reason, of all queues there ever were.'),
        ('queen_dlq_depth', 'gauge', 'Dead letters that are kept, of all queues.'),
        ('queen_dlq_depth_by_queue', 'gauge', 'Dead letters that are kept, as queen_dead_letters.'),
        ('queen_maintenance_mode_enabled', 'gauge', '1 while pushes are switched off for maintenance.'),
        ('queen_pop_maintenance_mode_enabled', 'gauge', '1 while nothing is handed out, for maintenance.'),
        ('queen_encrypted_queues', 'gauge', 'Queues whose payloads are stored encrypted.'),
        ('queen_encryption_messages', 'gauge', 'Stored messages of queues that are or were encrypted, by key; clear: in clear text, unchecked: not read by upkeep yet.'),
        ('queen_encryption_dead_letters', 'gauge', 'Dead letters of such queues that are not encrypted with the current key, by key.'),
        ('queen_encryption_stream_states', 'gauge', 'Values of stream queries over such queues that are not encrypted with the current key, by key.'),
        ('queen_stats_age_seconds', 'gauge', 'Age of the sums that depth and lag are read from.'),
        ('queen_series_omitted', 'gauge', 'Queues, and pairs of a queue and a group, that are summed up as _other (METRICS_MAX_SERIES).'),
        ('queen_queue_depth', 'gauge', 'Messages that the slowest group of their partition has not finished; all of them where nobody reads.'),
        ('queen_queue_max_size', 'gauge', 'The depth from which on the queue refuses pushes (maxSize); only of queues that have one.'),
        ('queen_dead_letters', 'gauge', 'Dead letters that are kept.'),
        ('queen_dead_lettered_total', 'counter', 'Messages that became dead letters, by reason, since the queue was created.'),
        ('queen_push_refused_total', 'counter', 'Messages that were pushed and not taken, by reason, since the queue was created.'),
        ('queen_group_lag_messages', 'gauge', 'Messages that the group has not finished.'),
        ('queen_group_lagging_partitions', 'gauge', 'Partitions in which there are messages that the group has not finished.'),
        ('queen_group_oldest_unread_seconds', 'gauge', 'How long the oldest message that the group has not finished has been due; 0 when there is none, and while the group or its queue is paused.'),
        ('queen_queue_push_requests_per_minute', 'gauge', 'Push requests in the last full minute.'),
        ('queen_queue_push_messages_per_minute', 'gauge', 'Messages stored in the last full minute.'),
        ('queen_queue_pop_messages_per_minute', 'gauge', 'Messages handed out in the last full minute.'),
        ('queen_queue_pop_empty_per_minute', 'gauge', 'Pops that got nothing in the last full minute.'),
        ('queen_queue_pop_lag_milliseconds', 'gauge', 'Age of messages when they were handed out in the last full minute; 0 when none was.'),
        ('queen_queue_ack_per_minute', 'gauge', 'Messages acknowledged in the last full minute, by result.'),
        ('queen_queue_transactions_per_minute', 'gauge', 'Transactions about the queue in the last full minute.'),
        ('queen_queue_parked_consumers', 'gauge', 'The most pops that waited at once in the last full minute, of each server, added up.'),
        ('queen_queue_metrics_age_seconds', 'gauge', 'How long ago the last full minute ended.'),
        ('queen_worker_event_loop_lag_milliseconds', 'gauge', 'How late the engine of a server was, in the last full minute.'),
        ('queen_worker_free_slots', 'gauge', 'Connections to PostgreSQL that had nothing to do, in the last full minute.'),
        ('queen_worker_db_connections', 'gauge', 'Connections of a server to PostgreSQL.'),
        ('queen_worker_job_queue_size', 'gauge', 'Requests that waited for a call of PostgreSQL, in the last full minute.'),
        ('queen_worker_backoff_size', 'gauge', 'Pops that wait on a server.'),
        ('queen_worker_jobs_done_per_minute', 'gauge', 'Calls of PostgreSQL in the last full minute.'),
        ('queen_worker_requests_per_minute', 'gauge', 'Requests in the last full minute, by operation.'),
        ('queen_worker_messages_per_minute', 'gauge', 'Messages in the last full minute, by operation.'),
        ('queen_worker_ack_per_minute', 'gauge', 'Messages acknowledged in the last full minute, by result.'),
        ('queen_worker_lag_milliseconds', 'gauge', 'Age of messages when a server handed them out in the last full minute.'),
        ('queen_worker_db_errors_per_minute', 'gauge', 'Calls of PostgreSQL that failed in the last full minute.'),
        ('queen_worker_dlq_per_minute', 'gauge', 'Messages that became dead letters in the last full minute and were added up with this server''s report.'),
        ('queen_worker_metrics_age_seconds', 'gauge', 'How long ago a server reported last.');
end
$$;
