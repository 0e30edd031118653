create function :api.removing_options(before queen.queue, after queen.queue, server_dedup_window_s int)
returns text[]
language sql immutable
as $$
-- Promise:  returns the changed options of a queue that remove messages, remove them earlier, or remove a protection: retention and expiry
--           that begin or become shorter, encryption and dead letters for expired messages that are switched off, a shorter deduplication
--           window. Only options in force are compared. maxSize is not considered.
-- Params:   before, after: the queue before and after the change; server_dedup_window_s: the deduplication window of queues without their
--           own.
-- Returns:  one text per option, with its name in the API and both values; empty if there is none.
-- Locks:    none.
-- Writes:   nothing
select coalesce(array_agg(format('"%s" from %s to %s', o.name, coalesce(o.before, 'null'), coalesce(o.after, 'null')) order by o.place), '{}')
from (
    select case when (before).retention_enabled then nullif((before).retention_s, 0) end as old_age,
           case when (after).retention_enabled then nullif((after).retention_s, 0) end as new_age,
           case when (before).retention_enabled then nullif((before).completed_retention_s, 0) end as old_completed_age,
           case when (after).retention_enabled then nullif((after).completed_retention_s, 0) end as new_completed_age,
           :api.eviction_age((before).max_wait_time_s, (before).ttl_s) as old_wait,
           :api.eviction_age((after).max_wait_time_s, (after).ttl_s) as new_wait,
           coalesce((before).dedup_window_s, server_dedup_window_s) as old_window,
           coalesce((after).dedup_window_s, server_dedup_window_s) as new_window
) v
cross join lateral (
    -- No age means no limit.
    select v.new_age < coalesce(v.old_age, 'infinity'::float8) as is_kept_shorter,
           v.new_completed_age < coalesce(v.old_completed_age, 'infinity'::float8) as is_completed_kept_shorter,
           v.new_wait < coalesce(v.old_wait, 'infinity'::float8) as is_expired_earlier
) c
cross join lateral (values
    (1, 'retentionEnabled', (before).retention_enabled::text, (after).retention_enabled::text, c.is_kept_shorter or c.is_completed_kept_shorter),
    (2, 'retentionSeconds', (before).retention_s::text, (after).retention_s::text, c.is_kept_shorter),
    (3, 'completedRetentionSeconds', (before).completed_retention_s::text, (after).completed_retention_s::text, c.is_completed_kept_shorter),
    (4, 'maxWaitTimeSeconds', (before).max_wait_time_s::text, (after).max_wait_time_s::text, c.is_expired_earlier),
    (5, 'ttl', (before).ttl_s::text, (after).ttl_s::text, c.is_expired_earlier),
    (6, 'encryptionEnabled', (before).encryption_enabled::text, (after).encryption_enabled::text,
        (before).encryption_enabled and not (after).encryption_enabled),
    (7, 'deadLetterQueue', (before).dead_letter_queue::text, (after).dead_letter_queue::text,
        (before).dead_letter_queue and not (after).dead_letter_queue),
    (8, 'dedupWindowSeconds', (before).dedup_window_s::text, (after).dedup_window_s::text, v.new_window < v.old_window)
) as o (place, name, before, after, is_removing)
where o.is_removing
  and o.before is distinct from o.after
$$;
