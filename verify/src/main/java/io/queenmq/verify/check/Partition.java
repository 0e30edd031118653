package io.queenmq.verify.check;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The stored messages of a partition by offset, as far as responses named them, and its state for each group. */
final class Partition {
    private static final int NONE = -1;

    private final int number;
    private final String id;
    private final String queue;
    private final String name;
    private final Map<String, GroupPartition> groups = new LinkedHashMap<>(4);
    private int[] messages = new int[0];
    private int end;
    private boolean isAudited;

    Partition(int number, String id, String queue, String name) {
        this.number = number;
        this.id = id;
        this.queue = queue;
        this.name = name;
    }

    int number() {
        return number;
    }

    String id() {
        return id;
    }

    String queue() {
        return queue;
    }

    String name() {
        return name;
    }

    /** Returns the offset after the highest known one. */
    int end() {
        return end;
    }

    /** Returns the message at the offset; -1 if no response named one. */
    long messageAt(long offset) {
        return offset < end ? messages[(int) offset] : NONE;
    }

    void setMessage(long offset, long m) {
        int index = Math.toIntExact(offset);
        if (index >= messages.length) {
            int before = messages.length;
            messages = Arrays.copyOf(messages, Math.max(index + 1, before + before / 2 + 8));
            Arrays.fill(messages, before, messages.length, NONE);
        }
        messages[index] = Math.toIntExact(m);
        end = Math.max(end, index + 1);
    }

    void setAudited() {
        isAudited = true;
    }

    /** Returns true if the audit at the end of the run read the partition. */
    boolean isAudited() {
        return isAudited;
    }

    GroupPartition group(String group) {
        return groups.computeIfAbsent(group, name -> new GroupPartition(this, name));
    }

    Map<String, GroupPartition> groups() {
        return groups;
    }
}
