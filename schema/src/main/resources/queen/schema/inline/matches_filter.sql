-- :matches_filter(letter, queue_id, target_id, partition, reader, error, from_at, to_at, transaction_ids, sealed_errors)
-- Promise:  returns whether a dead letter matches all given filters.
-- Params:   letter: its row; null means any; target_id: the id of the partition named partition, if the queue is given; error: a substring
--           of the error text, ignoring case; sealed_errors: the whole error text, encrypted; from_at, to_at: range of failed_at.
-- Returns:  true or false.
((:queue_id is null or :letter.queue_id = :queue_id)
 and (:partition is null or case when :queue_id is null then :letter.partition_name = :partition else :letter.partition_id = :target_id end)
 and (:reader is null or :letter.group_name = :reader)
 and (:error is null or strpos(lower(:letter.error), lower(:error)) > 0 or :letter.error = any (:sealed_errors))
 and (:from_at is null or :letter.failed_at >= :from_at)
 and (:to_at is null or :letter.failed_at <= :to_at)
 and (:transaction_ids is null or :letter.transaction_id = any (:transaction_ids)))
