package io.queenmq.engine.simulation.store;

import io.queenmq.engine.queue.QueueOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;

/** A row of queen.queue, and the groups that are paused there. */
final class QueueRow {
    private final Map<String, Object> columns = new LinkedHashMap<>();
    private final TreeSet<String> pausedGroups = new TreeSet<>();

    QueueRow(UUID id, String name, String namespace, String task, long now) {
        columns.put("id", id);
        columns.put("name", name);
        columns.put("namespace", namespace);
        columns.put("task", task);
        for (QueueOption option : QueueOption.values()) {
            columns.put(option.column(), option.defaultValue());
        }
        columns.put("is_paused", false);
        columns.put("revision", 0L);
        columns.put("partition_floor", 0L);
        columns.put("created_at", Moments.of(now));
    }

    QueueRow copy() {
        QueueRow copy = new QueueRow(id(), name(), namespace(), task(), 0);
        copy.columns.putAll(columns);
        copy.pausedGroups.addAll(pausedGroups);
        return copy;
    }

    static Answer answer() {
        List<String> names = new ArrayList<>(new QueueRow(new UUID(0, 0), "", "", "", 0).columns.keySet());
        names.add("paused_groups");
        return new Answer(names);
    }

    /** Returns the values in the order of the answer's columns. */
    Object[] values() {
        List<Object> values = new ArrayList<>(columns.values());
        values.add(pausedGroups.toArray(String[]::new));
        return values.toArray();
    }

    UUID id() {
        return (UUID) columns.get("id");
    }

    String name() {
        return (String) columns.get("name");
    }

    String namespace() {
        return (String) columns.get("namespace");
    }

    String task() {
        return (String) columns.get("task");
    }

    long maxSize() {
        return (long) columns.get("max_size");
    }

    long revision() {
        return (long) columns.get("revision");
    }

    int retryLimit() {
        return (int) columns.get("retry_limit");
    }

    int retryDelayMs() {
        return (int) columns.get("retry_delay_ms");
    }

    double retryBackoff() {
        return (double) columns.get("retry_backoff");
    }

    boolean isEncrypted() {
        return (boolean) columns.get("encryption_enabled");
    }

    boolean hasDeadLetterQueue() {
        return (boolean) columns.get("dead_letter_queue");
    }

    Integer dedupWindowS() {
        return (Integer) columns.get("dedup_window_s");
    }

    /** Returns the first offset of partitions that are created from now on. */
    long partitionFloor() {
        return (long) columns.get("partition_floor");
    }

    void raisePartitionFloor(long to) {
        columns.put("partition_floor", Math.max(partitionFloor(), to));
    }

    void revise() {
        columns.put("revision", revision() + 1);
    }

    void setPaused(boolean isPaused) {
        columns.put("is_paused", isPaused);
    }

    void setPaused(String group, boolean isPaused) {
        if (isPaused) {
            pausedGroups.add(group);
        } else {
            pausedGroups.remove(group);
        }
    }

    /** Sets the given options; others are unchanged. */
    void configure(Arguments arguments) {
        for (String name : List.of("namespace", "task")) {
            if (arguments.has(name)) {
                columns.put(name, arguments.string(name));
            }
        }
        arguments.json("options").forEach(option -> columns.put(option.getKey(), option.getValue()));
    }

    /** Returns the seconds after which any message is deleted; null for never. */
    Integer retentionSeconds() {
        return retention("retention_s");
    }

    /** Returns the seconds after which a message that every group has finished is deleted; null for never. */
    Integer completedRetentionSeconds() {
        return retention("completed_retention_s");
    }

    private Integer retention(String column) {
        int seconds = (int) columns.get(column);
        return (boolean) columns.get("retention_enabled") && seconds > 0 ? seconds : null;
    }

    /** Returns the seconds after which an unread message expires; null for never. A ttl of 3600 is ignored. */
    Integer evictionSeconds() {
        int ttl = (int) columns.get("ttl_s");
        int wait = (int) columns.get("max_wait_time_s");
        boolean hasTtl = ttl != 0 && ttl != 3600;
        if (wait > 0 && hasTtl) {
            return Math.min(wait, ttl);
        }
        return hasTtl ? Integer.valueOf(ttl) : wait > 0 ? Integer.valueOf(wait) : null;
    }
}
