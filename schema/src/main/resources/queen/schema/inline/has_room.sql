-- :has_room(first, end, largest_line, byte_room)
-- Promise:  whether messages surely fit, without looking at them: as many of the largest message of their partition do.
-- Params:   the messages first to end - 1; the bytes of the largest one; how many bytes fit, null for any number.
-- Returns:  true, or false or null where that takes a look (end_within).
(:byte_room is null or (:end - :first) * :largest_line <= :byte_room)
