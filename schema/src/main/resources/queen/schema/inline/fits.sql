-- :fits(first, end, largest_line, byte_limit)
-- Promise:  returns whether messages surely fit the limit, without reading them: that many of the largest message of their partition fit.
-- Params:   the messages first to end - 1; the bytes of the largest line; byte_limit: null for no limit.
-- Returns:  true; false or null if their sizes must be read (end_within).
(:byte_limit is null or (:end - :first) * :largest_line <= :byte_limit)
