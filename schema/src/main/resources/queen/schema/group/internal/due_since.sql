create function :api.due_since(
    oldest_at timestamptz, delayed_s int, window_s int, last_push_at timestamptz, retry_at timestamptz)
returns timestamptz
language sql stable
as $$
-- Promise:  since when a group's oldest unread message of a partition could have been delivered, which is what lag counts from; a moment
--           to come when it is not due yet.
-- Params:   when the message came; delayedProcessing and windowBuffer of the queue; columns of the partition and of the cursor.
-- Returns:  the moment; null when nothing is unread.
-- Locks:    none.
-- Writes:   nothing
select case when oldest_at is not null then greatest(
    oldest_at + make_interval(secs => delayed_s),
    case when window_s > 0 then last_push_at + make_interval(secs => window_s) end,
    retry_at) end
$$;
