-- :is_sought(letter, queue_id, target_id, partition, reader, error, from_at, to_at, transaction_ids, sealed_errors)
-- Promise:  whether a dead letter matches everything that is given.
-- Params:   its row; null means any; target_id: the partition that is called partition, where the queue is given; error: a part of the error
--           text, in upper or lower case; sealed_errors: the whole error text, encrypted; from_at and to_at: when the message failed for good.
-- Returns:  yes or no.
((:queue_id is null or :letter.queue_id = :queue_id)
 and (:partition is null or case when :queue_id is null then :letter.partition_name = :partition else :letter.partition_id = :target_id end)
 and (:reader is null or :letter.group_name = :reader)
 and (:error is null or strpos(lower(:letter.error), lower(:error)) > 0 or :letter.error = any (:sealed_errors))
 and (:from_at is null or :letter.failed_at >= :from_at)
 and (:to_at is null or :letter.failed_at <= :to_at)
 and (:transaction_ids is null or :letter.transaction_id = any (:transaction_ids)))
