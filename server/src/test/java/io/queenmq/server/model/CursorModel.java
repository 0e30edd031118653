package io.queenmq.server.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The model of a cursor: the state of one group in one partition. The model has no time: a lease lasts until a step ends it, and
 * a failed message is due immediately.
 */
final class CursorModel {
    private final List<String> partition;
    private final int retryLimit;
    private final TreeSet<Integer> acked = new TreeSet<>();
    private final TreeMap<Integer, Integer> dead = new TreeMap<>();
    private final TreeMap<Integer, Integer> attempts = new TreeMap<>();
    private String leaseId;
    private int leaseEnd;
    private boolean isAlone;
    private boolean isOverdue;

    /** @param partition the transactionIds pushed so far; the caller appends to it */
    CursorModel(List<String> partition, int retryLimit) {
        this.partition = partition;
        this.retryLimit = retryLimit;
    }

    /** A message that a pop must deliver. */
    record Due(String transactionId, int retryCount) {}

    /** The result of an acknowledgment. */
    record Verdict(boolean isAccepted, boolean isDead) {
        static final Verdict REFUSED = new Verdict(false, false);
        static final Verdict ACCEPTED = new Verdict(true, false);
    }

    private boolean isFinished(int offset) {
        return acked.contains(offset) || dead.containsKey(offset);
    }

    private int position() {
        return IntStream.range(0, partition.size()).filter(offset -> !isFinished(offset)).findFirst()
                .orElse(partition.size());
    }

    /** Returns the end of a batch, a range of offsets that starts at the cursor. A message with its last attempt is delivered alone. */
    private int end(int batch) {
        int first = position();
        int end = endAtOnce(batch);
        return isLast(first) ? first + 1 : IntStream.range(first, end).filter(this::isLast).findFirst().orElse(end);
    }

    /** Returns the end of a batch with autoAck. Its messages are finished on delivery, so the last attempt need not be alone. */
    private int endAtOnce(int batch) {
        return Math.min(position() + batch, partition.size());
    }

    private boolean isLast(int offset) {
        return attempts.getOrDefault(offset, 0) >= Math.max(1, retryLimit);
    }

    /** Returns true if the next message must be delivered alone. */
    boolean isNextAlone() {
        return isLast(position());
    }

    /** Returns the messages that a pop must deliver now. Messages that were finished out of order are not redelivered. */
    List<Due> due(int batch) {
        return upTo(end(batch));
    }

    /** Returns the messages that a pop with autoAck must deliver now. */
    List<Due> dueAtOnce(int batch) {
        return upTo(endAtOnce(batch));
    }

    private List<Due> upTo(int end) {
        return leaseId != null
                ? List.of()
                : IntStream.range(position(), end).filter(offset -> !isFinished(offset))
                        .mapToObj(offset -> new Due(partition.get(offset), attempts.getOrDefault(offset, 0))).toList();
    }

    /** @param isSole true if the pop requests one partition or one message in total */
    void lease(String id, int batch, boolean isSole) {
        isAlone = isNextAlone() || isSole && due(batch).size() == 1;
        leaseEnd = end(batch);
        leaseId = id;
    }

    void autoAck(int batch) {
        IntStream.range(position(), endAtOnce(batch)).filter(offset -> !isFinished(offset)).forEach(offset -> {
            acked.add(offset);
            attempts.remove(offset);
        });
    }

    boolean isLeasedBy(String id) {
        return isLeased() && id.equals(leaseId);
    }

    boolean isLeased() {
        return leaseId != null && !isOverdue;
    }

    boolean isFinished(String transactionId) {
        return isFinished(partition.indexOf(transactionId));
    }

    /** Expires the lease. Its consequences follow at the next pop of the partition. */
    void expire() {
        isOverdue = true;
    }

    /** Ends an expired lease. Each unfinished message is charged with an attempt. A single message may thereby be dead-lettered. */
    void processExpiry() {
        if (isOverdue) {
            boolean isLast = willDeadLetter();
            int first = position();
            IntStream.range(first, leaseEnd).filter(offset -> !isFinished(offset))
                    .forEach(offset -> attempts.merge(offset, 1, Integer::sum));
            if (isLast) {
                deadLetter(first, attempts.get(first));
            }
            leaseId = null;
            isOverdue = false;
        }
    }

    /** A message that was not alone in its last delivery is not dead-lettered before it was delivered alone. */
    boolean willDeadLetter() {
        return isOverdue && isAlone && attempts.getOrDefault(position(), 0) >= retryLimit;
    }

    /**
     * @param lease the lease of the acknowledgments; null for the current one
     * @return the result of each, in order
     */
    List<Verdict> ack(String lease, List<String> transactionIds, List<Status> statuses) {
        boolean isLive = isLeased() && (lease == null || lease.equals(leaseId));
        boolean isOver = false;
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < statuses.size(); i++) {
            int offset = partition.indexOf(transactionIds.get(i));
            if (isFinished(offset)) {
                verdicts.add(Verdict.ACCEPTED);
            } else if (!isLive || offset >= leaseEnd) {
                verdicts.add(Verdict.REFUSED);
            } else {
                apply(offset, statuses.get(i));
                verdicts.add(new Verdict(true, dead.containsKey(offset)));
                isOver |= !isFinished(offset);
            }
        }
        if (isLive && (isOver || position() >= leaseEnd)) {
            leaseId = null;
        }
        return verdicts;
    }

    private void apply(int offset, Status status) {
        switch (status) {
            case COMPLETED -> {
                acked.add(offset);
                attempts.remove(offset);
            }
            case FAILED -> {
                if (attempts.merge(offset, 1, Integer::sum) > retryLimit) {
                    deadLetter(offset, attempts.get(offset));
                }
            }
            case DLQ -> deadLetter(offset, attempts.getOrDefault(offset, 0) + 1);
            case RETRY -> {
            }
        }
    }

    private void deadLetter(int offset, int deliveries) {
        dead.put(offset, deliveries);
        attempts.remove(offset);
    }

    int ackedCount() {
        return acked.size();
    }

    int pendingCount() {
        return partition.size() - acked.size() - dead.size();
    }

    /** The number of deliveries of each dead letter, by offset. */
    Map<Integer, Integer> dead() {
        return dead;
    }
}
