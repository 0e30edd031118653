create function :api.partition_status(
    holder uuid, claimant uuid, lease_until timestamptz, first bigint, head bigint, is_paused boolean, retry_at timestamptz,
    window_s int, last_push_at timestamptz, at timestamptz)
returns text
language sql stable
as $$
-- Promise:  returns the status of a partition for a lease request. Used by lease and by delivery_states, which reports what lease would do.
--           PostgreSQL inlines this expression, so it costs no call.
-- Params:   columns of the cursor and of its partition; claimant: the requested lease id, null for none; first: the first unfinished
--           offset; window_s: of the queue; at: the present time.
-- Returns:  the first that applies: expired (the lease has expired), held (by the claimant), busy, empty, paused, retrying, window;
--           otherwise ready. A last push dated more than a minute in the future is ignored: the clock of PostgreSQL was ahead. due_until
--           decides whether the first message is due.
-- Locks:    none.
-- Writes:   nothing
select case
    when holder is not null and lease_until <= at then 'expired'
    when holder = claimant then 'held'
    when holder is not null then 'busy'
    when first >= head then 'empty'
    when is_paused then 'paused'
    when retry_at > at then 'retrying'
    when window_s > 0 and last_push_at > at - make_interval(secs => window_s) and last_push_at <= at + interval '1 minute' then 'window'
    else 'ready'
end
$$;
