package io.queenmq.server.auth;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs rejected requests at most once a minute: one line per reason, with counts and client addresses, however many
 * requests were rejected. Safe from any thread.
 */
final class RejectionLog {
    static final int ADDRESSES_PER_LINE_MAX = 10;
    static final long WRITE_EVERY_NS = 60_000_000_000L;

    private static final Logger log = LoggerFactory.getLogger(RejectionLog.class);
    private static final String OTHERS = "other addresses";

    private final Map<Rejection, Map<String, Long>> tallies = new EnumMap<>(Rejection.class);
    private long writtenAtNs;
    private boolean isWritten;

    synchronized void add(Rejection reason, String address) {
        Map<String, Long> counts = tallies.computeIfAbsent(reason, _ -> new LinkedHashMap<>());
        boolean isListed = counts.containsKey(address) || counts.size() < ADDRESSES_PER_LINE_MAX;
        counts.merge(isListed ? address : OTHERS, 1L, Long::sum);
    }

    /** Writes the rejections since the last time, unless that is less than a minute ago. */
    void write(long nowNs) {
        takeLines(nowNs).forEach(log::warn);
    }

    /** Returns the lines that are due. */
    synchronized List<String> takeLines(long nowNs) {
        if (tallies.isEmpty() || isWritten && nowNs - writtenAtNs < WRITE_EVERY_NS) {
            return List.of();
        }
        isWritten = true;
        writtenAtNs = nowNs;
        List<String> lines = new ArrayList<>();
        tallies.forEach((reason, counts) -> lines.add("rejected %d requests, reason %s, from %s".formatted(
                counts.values().stream().mapToLong(Long::longValue).sum(), reason.label(), inWords(counts))));
        tallies.clear();
        return lines;
    }

    private static String inWords(Map<String, Long> counts) {
        return counts.entrySet().stream().map(each -> each.getKey() + " (" + each.getValue() + ")")
                .collect(Collectors.joining(", "));
    }
}
