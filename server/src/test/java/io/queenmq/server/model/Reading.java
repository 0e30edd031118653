package io.queenmq.server.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * How one group reads one partition, as simply as it can be said. Time is no part of it: a lease is there until somebody
 * ends it, and a message that failed is due again at once.
 */
final class Reading {
    private final List<String> partition;
    private final int retryLimit;
    private final TreeSet<Integer> acked = new TreeSet<>();
    private final TreeMap<Integer, Integer> dead = new TreeMap<>();
    private final TreeMap<Integer, Integer> attempts = new TreeMap<>();
    private String leaseId;
    private int leaseEnd;
    private boolean isAlone;
    private boolean isOverdue;

    /** @param partition the transactionIds pushed so far; it grows by itself */
    Reading(List<String> partition, int retryLimit) {
        this.partition = partition;
        this.retryLimit = retryLimit;
    }

    /** A message as it is handed out. */
    record Due(String transactionId, int retryCount) {}

    /** What became of an acknowledgement. */
    record Verdict(boolean isAccepted, boolean isDead) {
        static final Verdict REFUSED = new Verdict(false, false);
        static final Verdict ACCEPTED = new Verdict(true, false);
    }

    private boolean isFinished(int offset) {
        return acked.contains(offset) || dead.containsKey(offset);
    }

    private int cursor() {
        return IntStream.range(0, partition.size()).filter(offset -> !isFinished(offset)).findFirst()
                .orElse(partition.size());
    }

    /** A batch is a run of offsets from the cursor on. A message that has its last attempt before it is handed out alone. */
    private int end(int batch) {
        int first = cursor();
        int end = endAtOnce(batch);
        return isLast(first) ? first + 1 : IntStream.range(first, end).filter(this::isLast).findFirst().orElse(end);
    }

    /** What is finished when it is handed out can be blamed for nothing, and need not be alone. */
    private int endAtOnce(int batch) {
        return Math.min(cursor() + batch, partition.size());
    }

    private boolean isLast(int offset) {
        return attempts.getOrDefault(offset, 0) >= Math.max(1, retryLimit);
    }

    /** Whether the next message may have no company. */
    boolean isNextAlone() {
        return isLast(cursor());
    }

    /** What a pop would be given now. What was finished out of order is not handed out again. */
    List<Due> due(int batch) {
        return upTo(end(batch));
    }

    /** The same for a pop with autoAck. */
    List<Due> dueAtOnce(int batch) {
        return upTo(endAtOnce(batch));
    }

    private List<Due> upTo(int end) {
        return leaseId != null
                ? List.of()
                : IntStream.range(cursor(), end).filter(offset -> !isFinished(offset))
                        .mapToObj(offset -> new Due(partition.get(offset), attempts.getOrDefault(offset, 0))).toList();
    }

    /** @param isSole whether whoever asked wants one partition or one message in all */
    void lease(String id, int batch, boolean isSole) {
        isAlone = isNextAlone() || isSole && due(batch).size() == 1;
        leaseEnd = end(batch);
        leaseId = id;
    }

    void autoAck(int batch) {
        IntStream.range(cursor(), endAtOnce(batch)).filter(offset -> !isFinished(offset)).forEach(offset -> {
            acked.add(offset);
            attempts.remove(offset);
        });
    }

    boolean isHeldBy(String id) {
        return isHeld() && id.equals(leaseId);
    }

    boolean isHeld() {
        return leaseId != null && !isOverdue;
    }

    boolean isFinished(String transactionId) {
        return isFinished(partition.indexOf(transactionId));
    }

    /** The lease runs out. What follows from that waits until somebody asks for the partition again. */
    void expire() {
        isOverdue = true;
    }

    /** Ends a lease that ran out. Any unfinished message of it may be to blame; one that was alone is, which may be its end. */
    void notice() {
        if (isOverdue) {
            boolean isLast = isAboutToBury();
            int first = cursor();
            IntStream.range(first, leaseEnd).filter(offset -> !isFinished(offset))
                    .forEach(offset -> attempts.merge(offset, 1, Integer::sum));
            if (isLast) {
                bury(first, attempts.get(first));
            }
            leaseId = null;
            isOverdue = false;
        }
    }

    /** A message that had company in its last delivery may be innocent, and is tried alone first. */
    boolean isAboutToBury() {
        return isOverdue && isAlone && attempts.getOrDefault(cursor(), 0) >= retryLimit;
    }

    /**
     * @param lease the lease the acknowledgements are made under; null for whichever there is
     * @return what became of each, in order
     */
    List<Verdict> ack(String lease, List<String> transactionIds, List<Status> statuses) {
        boolean isLive = isHeld() && (lease == null || lease.equals(leaseId));
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
        if (isLive && (isOver || cursor() >= leaseEnd)) {
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
                    bury(offset, attempts.get(offset));
                }
            }
            case DLQ -> bury(offset, attempts.getOrDefault(offset, 0) + 1);
            case RETRY -> {
            }
        }
    }

    private void bury(int offset, int deliveries) {
        dead.put(offset, deliveries);
        attempts.remove(offset);
    }

    int ackedCount() {
        return acked.size();
    }

    int pendingCount() {
        return partition.size() - acked.size() - dead.size();
    }

    /** By offset, how often each was delivered before the group gave up on it. */
    Map<Integer, Integer> dead() {
        return dead;
    }
}
