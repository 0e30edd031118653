package io.queenmq.verify.check;

import java.util.LinkedHashMap;
import java.util.Map;

/** The declarations and operations of a queue that decide which checks apply to it. */
final class QueueFacts {
    private final String name;
    private final Map<String, Boolean> groups = new LinkedHashMap<>();
    private int retryLimit = 3;
    private boolean isAudited;
    private boolean isRetained;
    private boolean isExpiring;
    private boolean isDeleted;
    private boolean isRedriven;
    private boolean hasSeeks;

    private final int number;
    private int dedupWindowSeconds = 3_600;
    private boolean isAuditComplete;

    private long audited;

    QueueFacts(String name, int number) {
        this.name = name;
        this.number = number;
    }

    void read(Entry.Line line) {
        var node = line.node();
        switch (line.op()) {
            case "queue" -> {
                hasSeeks = node.path("seeks").asBoolean();
                isAudited = node.path("audited").asBoolean();
                isRetained = node.path("options").path("retentionEnabled").asBoolean();
                isExpiring = node.path("options").path("ttl").asInt() > 0
                        || node.path("options").path("maxWaitTimeSeconds").asInt() > 0;
                retryLimit = node.path("options").path("retryLimit").asInt(retryLimit);
                dedupWindowSeconds = node.path("options").path("dedupWindowSeconds").asInt(dedupWindowSeconds);
            }
            case "group" -> groups.put(line.text("group"), node.path("complete").asBoolean());
            case "delete-queue" -> isDeleted = true;
            case "redrive" -> isRedriven = true;
            case "audit" -> isAuditComplete = node.path("complete").asBoolean();
            default -> throw new IllegalArgumentException(line.op());
        }
    }

    void countAudited() {
        audited++;
    }

    /** Returns the number of messages that the audit read. */
    long audited() {
        return audited;
    }

    String name() {
        return name;
    }

    /** Returns the declared groups, and for each whether it reads all messages from the first one on. */
    Map<String, Boolean> groups() {
        return groups;
    }

    boolean isComplete(String group) {
        return groups.getOrDefault(group, false);
    }

    int retryLimit() {
        return retryLimit;
    }

    /** Returns true if all stored messages are read at the end of the run. */
    boolean isAudited() {
        return isAudited;
    }

    boolean isRetained() {
        return isRetained;
    }

    /** Returns true if messages may expire before they are delivered. */
    boolean isExpiring() {
        return isExpiring;
    }

    int number() {
        return number;
    }

    int dedupWindowSeconds() {
        return dedupWindowSeconds;
    }

    /** Returns true if messages are pushed with transactionIds of earlier messages, inside and outside the window. */
    boolean hasReusedIds() {
        return dedupWindowSeconds < 60;
    }

    /** Returns true if the audit at the end of the run read all messages of the queue. */
    boolean isAuditComplete() {
        return isAuditComplete;
    }

    /** Returns true if the queue was deleted during the run. */
    boolean isDeleted() {
        return isDeleted;
    }

    /** Returns true if dead letters were moved back into the queue. */
    boolean isRedriven() {
        return isRedriven;
    }

    /** Returns true if groups seek in the queue. */
    boolean hasSeeks() {
        return hasSeeks;
    }
}
