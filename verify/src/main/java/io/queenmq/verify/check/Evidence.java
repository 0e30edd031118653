package io.queenmq.verify.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Predicate;

/** Selects the lines of a history that prove a violation. */
final class Evidence {
    private Evidence() {}

    /** Lines in which the message occurs. */
    static Predicate<JsonNode> ofMessage(long m) {
        return line -> occurs(line, "items", m) || occurs(line, "messages", m) || occurs(line, "acks", m)
                || occurs(line, "letters", m);
    }

    private static boolean occurs(JsonNode line, String field, long m) {
        for (JsonNode each : line.path(field)) {
            if (each.path("m").asLong(-1) == m) {
                return true;
            }
        }
        return false;
    }

    /** Lines in which the message at an offset of a partition occurs for a group, and faults in between. */
    static Predicate<JsonNode> ofOffset(String partitionId, long offset, String group) {
        return line -> {
            boolean isOfGroup = line.path("group").asText("").equals(group) || line.path("op").asText().equals("push");
            return isOfGroup && (occurs(line, "messages", partitionId, offset)
                    || occurs(line, "acks", partitionId, offset) || occurs(line, "results", partitionId, offset));
        };
    }

    private static boolean occurs(JsonNode line, String field, String partitionId, long offset) {
        for (JsonNode each : line.path(field)) {
            if (each.path("offset").asLong(-1) == offset && each.path("partitionId").asText().equals(partitionId)) {
                return true;
            }
        }
        return false;
    }

    /** Lines with a lease: its pop, its acks and its renewals. */
    static Predicate<JsonNode> ofLeases(String first, String second) {
        return line -> {
            String lease = line.path("lease").asText("");
            return !lease.isEmpty() && (lease.equals(first) || lease.equals(second));
        };
    }

    /** Lines of cycles in a partition of a stream. */
    static Predicate<JsonNode> ofStream(String partitionId, String group) {
        return line -> line.path("stream").asText("").equals(partitionId) && line.path("group").asText().equals(group);
    }

    static Predicate<JsonNode> ofLines(long... numbers) {
        return line -> {
            long n = line.path("n").asLong();
            for (long each : numbers) {
                if (each == n) {
                    return true;
                }
            }
            return false;
        };
    }
}
