package io.queenmq.verify.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One line of a history, decoded. */
sealed interface Entry {
    Line line();

    /** The outcome of one item of a request. */
    enum Outcome {
        /** The server confirmed that the operation took effect. */
        DONE,
        /** The server reported that the operation took no effect. */
        REJECTED,
        /** No response was received, or the server failed while it executed the request. */
        UNKNOWN
    }

    /**
     * The fields that every line has.
     *
     * @param start microseconds since the begin of the run
     */
    record Line(long n, String process, String op, long start, long end, JsonNode node) {
        String text(String field) {
            return node.path(field).asText("");
        }
    }

    /** A push. */
    record Push(Line line, String queue, List<Pushed> items) implements Entry {}

    /**
     * One message of a push or a transaction.
     *
     * @param isReused whether an earlier message was pushed with the same transactionId
     * @param status {@code queued}, {@code duplicate} or {@code buffered}; empty if the push was not confirmed
     * @param partitionId empty if the response did not contain it
     * @param offset -1 if the response did not contain it
     * @param id empty if the history does not contain it
     */
    record Pushed(long m, String queue, String partition, String producer, long sequence, long epoch,
            String transactionId, boolean isReused, Outcome outcome, String status, String partitionId, long offset,
            String id) {}

    /** A pop that returned messages, nothing, or whose outcome is unknown. */
    record Pop(Line line, String queue, String group, boolean isAutoAck, double leaseSeconds, String lease,
            Outcome outcome, List<Delivered> messages) implements Entry {}

    /** One delivered message. */
    record Delivered(long m, String queue, String partition, String partitionId, long offset, int attempt,
            long createdMicros, String transactionId, String id) {}

    /** An ack or an ack batch. */
    record Ack(Line line, String group, List<Acked> items) implements Entry {}

    /**
     * One message of an ack or a transaction.
     *
     * @param isDead whether the server reported that the message was moved to the dead letters
     */
    record Acked(long m, String partitionId, long offset, String lease, String status, Outcome outcome,
            boolean isDead) {}

    /**
     * A transaction: pushes and acks that take effect together.
     *
     * @param stream the id of the partition of a stream cycle; empty otherwise
     * @param sum the messages of the sessions whose results a cycle pushes
     */
    record Transaction(Line line, String group, Outcome outcome, List<Pushed> pushes, List<Acked> acks, String stream,
            long sum) implements Entry {}

    /** The renewal of a lease. */
    record Renewal(Line line, String lease, double seconds, Outcome outcome) implements Entry {}

    /**
     * A seek of a group in one partition or in all partitions of a queue.
     *
     * @param partition null for all partitions
     * @param createdAfterMicros the requested time; null for another kind of seek
     * @param offset the requested offset; -1 for another kind of seek
     */
    record Seek(Line line, String queue, String group, @Nullable String partition, @Nullable Long createdAfterMicros,
            long offset, Outcome outcome) implements Entry {}

    /** Any other line: declarations, faults, deletions, counts and resources. */
    record Control(Line line) implements Entry {}
}
