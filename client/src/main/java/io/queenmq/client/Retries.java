package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import io.queenmq.client.operator.Explanation;
import io.queenmq.client.operator.Partitions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The partitions in which a message has failed and may be waiting for its next delivery. Safe from any thread. */
final class Retries {
    private static final Logger log = LoggerFactory.getLogger(Retries.class);

    /** Its time has not come, or has just come. */
    private static final Set<String> WAITED_FOR = Set.of("retrying", "ready");

    private final Partitions partitions;
    private final Map<String, Delivery<?>> failed = new ConcurrentHashMap<>();

    Retries(Partitions partitions) {
        this.partitions = partitions;
    }

    void add(Delivery<?> delivery) {
        failed.put(delivery.partitionId(), delivery);
    }

    /** Whether a server says that one of them waits for its next delivery. */
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
            log.debug("cannot find out whether {} is delivered again: {}", delivery, e.getMessage());
        }
        failed.remove(delivery.partitionId());
        return false;
    }
}
