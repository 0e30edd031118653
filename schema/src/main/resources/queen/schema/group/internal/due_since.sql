create function :api.due_since(
    oldest_at timestamptz, delayed_s int, window_s int, last_push_at timestamptz, retry_at timestamptz)
returns timestamptz
language sql stable
as $$
-- Promise:  returns the time since which the oldest unread message of a group in a partition could have been delivered; lag is counted from
--           it. The time is in the future if the message is not due yet.
-- Params:   oldest_at: when the message was stored; delayed_s, window_s: delayedProcessing and windowBuffer of the queue; last_push_at of
--           the partition; retry_at of the cursor.
-- Returns:  the time; null if nothing is unread.
-- Locks:    none.
-- Writes:   nothing
select case when oldest_at is not null then greatest(
    oldest_at + make_interval(secs => delayed_s),
    case when window_s > 0 then last_push_at + make_interval(secs => window_s) end,
    retry_at) end
$$;
