-- :is_alone(is_sole, first, end, finished)
-- Promise:  whether a lease is over one message and nothing else comes under its lease id.
-- Params:   whether its consumer asks for one partition or one message in all, or null; the leased offsets first to end - 1; those
--           of them that are finished or removed, or null.
-- Returns:  true or false.
(coalesce(:is_sole, false) and :api.unread(:first, :end, :finished, null) = 1)
