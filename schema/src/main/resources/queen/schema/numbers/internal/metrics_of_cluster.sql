create function :api.metrics_of_cluster()
returns table (name text, label text, value numeric)
language plpgsql stable
as $$
-- Promise:  returns the Prometheus series of the whole cluster: lifetime totals and present state.
-- Params:   none.
-- Returns:  one row per series.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select t.name, 'scope="cluster"' || t.label, t.value::numeric
    from queen.lifetime l
    cross join queen.system_state m
    cross join lateral (values
        ('queen_cluster_push_requests_total', '', l.push_requests), ('queen_cluster_pop_requests_total', '', l.pop_requests),
        ('queen_cluster_ack_requests_total', '', l.ack_requests), ('queen_cluster_transactions_total', '', l.transactions),
        ('queen_cluster_push_messages_total', '', l.push_messages), ('queen_cluster_pop_messages_total', '', l.pop_messages),
        ('queen_cluster_ack_messages_total', '', l.ack_success + l.ack_failed),
        ('queen_cluster_ack_total', ',result="success"', l.ack_success),
        ('queen_cluster_ack_total', ',result="failed"', l.ack_failed),
        ('queen_cluster_db_errors_total', '', l.db_errors),
        ('queen_cluster_dlq_total', '', l.dead_letters
             + (select coalesce(sum(c.ever), 0) from dead_letter_change c where c.reason is not null)),
        ('queen_dlq_depth', '', :api.dead_letter_count(null)),
        ('queen_maintenance_mode_enabled', '', m.push_maintenance::int),
        ('queen_pop_maintenance_mode_enabled', '', m.pop_maintenance::int),
        ('queen_encrypted_queues', '', (select count(*) from queen.queue q where q.encryption_enabled)),
        ('queen_stats_age_seconds', '', :api.stats_age())) as t (name, label, value)
    union all
    select case c.kind when 'dead_letter' then 'queen_encryption_dead_letters' when 'stream_state' then 'queen_encryption_stream_states'
                       else 'queen_encryption_messages' end,
           :api.prometheus_label('key', case when c.kind = 'unchecked' then 'unchecked' when c.key_id = '' then 'clear' else c.key_id end),
           sum(c.count)
    from queen.key_cover c
    group by 1, 2;
end
$$;
