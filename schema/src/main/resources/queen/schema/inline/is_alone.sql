-- :is_alone(is_sole, first, end, finished)
-- Promise:  returns whether a lease covers exactly one message, and nothing else can be leased under its lease id.
-- Params:   is_sole: the consumer requested one partition or one message in total, or null; the leased offsets first to end - 1; finished:
--           those that are finished or removed, or null.
-- Returns:  true or false.
(coalesce(:is_sole, false) and :api.unread(:first, :end, :finished, null) = 1)
