package io.queenmq.verify.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The figures of a run per second: messages pushed and delivered, the p99 of pushes, requests without a response, and faults. */
public final class Timeline {
    private static final int MICROS_PER_SECOND = 1_000_000;

    /** The figures of one second. */
    public static final class Second {
        private long pushed;
        private long delivered;
        private long unanswered;
        private final List<Integer> pushMicros = new ArrayList<>();

        public long pushed() {
            return pushed;
        }

        public long delivered() {
            return delivered;
        }

        public long unanswered() {
            return unanswered;
        }

        /** Returns the p99 of the pushes that ended in this second, in milliseconds. */
        public double pushP99Ms() {
            if (pushMicros.isEmpty()) {
                return 0;
            }
            List<Integer> sorted = pushMicros.stream().sorted().toList();
            return sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1) / 1_000.0;
        }
    }

    /** A fault; {@code end} in seconds is the end of the run if the fault did not end. */
    public record Interval(String name, double begin, double end, String error) {}

    private final List<Second> seconds = new ArrayList<>();
    private final List<Interval> faults = new ArrayList<>();
    private final Map<Long, JsonNode> begun = new HashMap<>();
    private final Map<String, Long> operations = new HashMap<>();
    private long lines;
    private long pushed;
    private long delivered;

    /** Reads one line of the history. */
    public void read(JsonNode line) {
        lines++;
        String op = line.path("op").asText();
        operations.merge(op, 1L, Long::sum);
        long end = line.path("end").asLong();
        Second second = second(end);
        if (line.path("outcome").asText().equals("unknown")) {
            second.unanswered++;
        }
        switch (op) {
            case "push" -> {
                long count = line.path("results").size();
                second.pushed += count;
                pushed += count;
                second.pushMicros.add((int) (end - line.path("start").asLong()));
            }
            case "transaction" -> pushed += line.path("outcome").asText().equals("ok") ? line.path("items").size() : 0;
            case "pop" -> {
                if (!line.path("group").asText().equals("verify-audit")) {
                    second.delivered += line.path("messages").size();
                    delivered += line.path("messages").size();
                }
            }
            case "fault-begin" -> begun.put(line.path("fault").asLong(), line);
            case "fault-end" -> {
                JsonNode begin = begun.remove(line.path("fault").asLong());
                if (begin != null) {
                    faults.add(new Interval(line.path("name").asText(), inSeconds(begin.path("start").asLong()),
                            inSeconds(end), line.path("error").asText("")));
                }
            }
            default -> {
                // Not in the timeline.
            }
        }
    }

    private Second second(long micros) {
        int index = (int) (micros / MICROS_PER_SECOND);
        while (seconds.size() <= index) {
            seconds.add(new Second());
        }
        return seconds.get(index);
    }

    private static double inSeconds(long micros) {
        return micros / (double) MICROS_PER_SECOND;
    }

    public List<Second> seconds() {
        return seconds;
    }

    public List<Interval> faults() {
        return faults;
    }

    /** Returns the number of lines of each operation. */
    public Map<String, Long> operations() {
        return operations;
    }

    public long lines() {
        return lines;
    }

    public long pushed() {
        return pushed;
    }

    public long delivered() {
        return delivered;
    }
}
