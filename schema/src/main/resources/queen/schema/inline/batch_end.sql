-- :batch_end(first, batch, head)
-- Promise:  returns the end of the messages that a lease of a partition may cover.
-- Params:   the first unfinished offset; the maximum number of messages; the head of the partition.
-- Returns:  the offset after the last message.
least(:first + :batch, :head)
