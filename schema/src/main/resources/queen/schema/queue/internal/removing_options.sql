create function :api.removing_options(was queen.queue, will queen.queue, server_dedup_window_s int)
returns text[]
language sql immutable
as $$
-- Promise:  the changed options of a queue by which messages are removed, or removed earlier, or lose a protection: retention and expiry
--           that begin or become shorter, encryption and dead letters for expired messages that end, a shorter duplicate window.
--           Options that are not in force are compared by what is in force. maxSize is not considered.
-- Params:   the queue before and after the change; server_dedup_window_s: the duplicate window of queues that have none of their own.
-- Returns:  one text per option, with its name in the API and both values; empty if there is none.
-- Locks:    none.
-- Writes:   nothing
select coalesce(array_agg(format('"%s" from %s to %s', o.name, coalesce(o.was, 'null'), coalesce(o.will, 'null')) order by o.place), '{}')
from (
    select case when (was).retention_enabled then nullif((was).retention_s, 0) end as old_age,
           case when (will).retention_enabled then nullif((will).retention_s, 0) end as new_age,
           case when (was).retention_enabled then nullif((was).completed_retention_s, 0) end as old_completed_age,
           case when (will).retention_enabled then nullif((will).completed_retention_s, 0) end as new_completed_age,
           :api.eviction_age((was).max_wait_time_s, (was).ttl_s) as old_wait,
           :api.eviction_age((will).max_wait_time_s, (will).ttl_s) as new_wait,
           coalesce((was).dedup_window_s, server_dedup_window_s) as old_window,
           coalesce((will).dedup_window_s, server_dedup_window_s) as new_window
) v
cross join lateral (
    -- No age means for ever.
    select v.new_age < coalesce(v.old_age, 'infinity'::float8) as is_kept_shorter,
           v.new_completed_age < coalesce(v.old_completed_age, 'infinity'::float8) as is_completed_kept_shorter,
           v.new_wait < coalesce(v.old_wait, 'infinity'::float8) as is_expired_earlier
) c
cross join lateral (values
    (1, 'retentionEnabled', (was).retention_enabled::text, (will).retention_enabled::text, c.is_kept_shorter or c.is_completed_kept_shorter),
    (2, 'retentionSeconds', (was).retention_s::text, (will).retention_s::text, c.is_kept_shorter),
    (3, 'completedRetentionSeconds', (was).completed_retention_s::text, (will).completed_retention_s::text, c.is_completed_kept_shorter),
    (4, 'maxWaitTimeSeconds', (was).max_wait_time_s::text, (will).max_wait_time_s::text, c.is_expired_earlier),
    (5, 'ttl', (was).ttl_s::text, (will).ttl_s::text, c.is_expired_earlier),
    (6, 'encryptionEnabled', (was).encryption_enabled::text, (will).encryption_enabled::text,
        (was).encryption_enabled and not (will).encryption_enabled),
    (7, 'deadLetterQueue', (was).dead_letter_queue::text, (will).dead_letter_queue::text,
        (was).dead_letter_queue and not (will).dead_letter_queue),
    (8, 'dedupWindowSeconds', (was).dedup_window_s::text, (will).dedup_window_s::text, v.new_window < v.old_window)
) as o (place, name, was, will, is_removing)
where o.is_removing
  and o.was is distinct from o.will
$$;
