package io.queenmq.engine.simulation.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A row of queen.segment: the messages that one call appended to a partition. Immutable.
 *
 * @param acceptedAt null if the messages were accepted when they were stored
 */
record Segment(long base, int count, long createdAt, byte[] hashes, byte[] body, Long[] acceptedAt) {
    Segment {
        if (count <= 0 || hashes.length != 8 * count) {
            throw SqlError.of("23514", "new row for relation \"segment\" violates a check constraint");
        }
    }

    /** Returns the acceptance time of a message. */
    long acceptedAt(long offset) {
        return acceptedAt == null ? createdAt : acceptedAt[(int) (offset - base)];
    }

    long end() {
        return base + count;
    }

    List<String> lines() {
        return new String(body, StandardCharsets.UTF_8).lines().toList();
    }

    /** Returns a segment with only the first messages. */
    static byte[] firstLines(byte[] body, int count) {
        int end = 0;
        for (int lines = 0; lines < count; end++) {
            lines += body[end] == '\n' ? 1 : 0;
        }
        return Arrays.copyOf(body, end);
    }
}
