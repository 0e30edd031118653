-- :batch_end(first, batch, head)
-- Promise:  where the messages end that a lease of a partition may get.
-- Params:   the first unfinished offset; how many messages at most; the head of the partition.
-- Returns:  the offset behind the last one.
least(:first + :batch, :head)
