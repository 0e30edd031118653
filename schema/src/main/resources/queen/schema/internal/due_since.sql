create function :api.due_since(created_at timestamptz, delay_s int, last_push_at timestamptz, window_s int, retry_at timestamptz)
returns timestamptz
language sql stable
as $$
-- Promise:  from when on the first unread message of a lane could be handed out: what is counted as its age begins there.
-- Params:   when it came; the queue's delayedProcessing and windowBuffer; when the lane was pushed to last; until when it rests
--           after a failure, null when it does not.
-- Returns:  the moment, which may be in the future; null where there is no message.
-- Locks:    none.
-- Writes:   nothing
select case when created_at is not null then
    greatest(created_at + make_interval(secs => delay_s),
             case when window_s > 0 then last_push_at + make_interval(secs => window_s) end, retry_at) end
$$;
