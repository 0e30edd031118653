package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import io.queenmq.client.operator.Explanation;
import io.queenmq.client.operator.Partitions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Partitions with a failed message that may be waiting for its redelivery. Thread-safe. */
final class PendingRetries {
    private static final Logger log = LoggerFactory.getLogger(PendingRetries.class);

    /** States of a partition whose retry is pending or just due. */
    private static final Set<String> WAITED_FOR = Set.of("retrying", "ready");

    private final Partitions partitions;
    private final Map<String, Delivery<?>> failed = new ConcurrentHashMap<>();

    PendingRetries(Partitions partitions) {
        this.partitions = partitions;
    }

    void add(Delivery<?> delivery) {
        failed.put(delivery.partitionId(), delivery);
    }

    /** Returns true if a server reports a pending redelivery for one of them. */
    boolean areDue() {
        return failed.values().stream().anyMatch(this::isDue);
    }

    private boolean isDue(Delivery<?> delivery) {
        try {
            Explanation explanation = partitions.explain(delivery.partitionId(), delivery.group());
            if (WAITED_FOR.contains(explanation.state())) {
                return true;
            }
        } catch (QueenException e) {
            log.debug("query for pending redelivery of {} failed: {}", delivery, e.getMessage());
        }
        failed.remove(delivery.partitionId());
        return false;
    }
}
