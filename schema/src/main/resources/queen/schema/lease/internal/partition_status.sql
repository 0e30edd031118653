create function :api.partition_status(
    holder uuid, claimant uuid, lease_until timestamptz, first bigint, head bigint, is_paused boolean, retry_at timestamptz,
    window_s int, last_push_at timestamptz, at timestamptz)
returns text
language sql stable
as $$
-- Promise:  what stands in the way of whoever asks for a partition. lease decides by it, and so does standing, which says what lease would do.
--           PostgreSQL puts this expression in the place of the call, so it costs no call.
-- Params:   columns of the cursor and of its partition; claimant: the lease id that is asked for, null for nobody's; first: the first
--           unfinished offset; window_s: of the queue; at: the present moment.
-- Returns:  the first that applies: expired (the holder is overdue), held (by the claimant), busy, empty, paused, retrying, window;
--           ready when nothing does. A last push that is dated more than a minute in the future does not count as one: PostgreSQL's
--           clock was ahead. Whether the first message is due is for due_until to say.
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
