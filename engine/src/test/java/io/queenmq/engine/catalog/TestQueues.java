package io.queenmq.engine.catalog;

import io.queenmq.engine.harness.TestOptions;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.queue.QueueOption;
import io.queenmq.engine.queue.QueueOptions;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Queues in a short notation for tables: the name in letters, the number of its id, and optionally {@code e} for encrypted,
 * {@code p} for paused, {@code r} for revised by an operator. For example, {@code a1} and {@code a2e} are two queues that had
 * the name a, the second one encrypted.
 */
final class TestQueues {
    private TestQueues() {}

    static Queue queue(String notation) {
        String name = notation.replaceFirst("\\d.*", "");
        String rest = notation.substring(name.length());
        UUID id = new UUID(0, Long.parseLong(rest.replaceAll("\\D", "")));
        return new Queue(id, name, name, "", options(rest.contains("e")), rest.contains("p"), Set.of(),
                rest.contains("r") ? 1 : 0);
    }

    /** @param notations queues separated by spaces, or null for none */
    static Map<String, Queue> byName(String notations) {
        Map<String, Queue> queues = new LinkedHashMap<>();
        if (notations != null) {
            Arrays.stream(notations.split(" ")).map(TestQueues::queue).forEach(each -> queues.put(each.name(), each));
        }
        return queues;
    }

    /** @param isEncrypted null in a command that does not change it */
    static QueueOptions options(Boolean isEncrypted) {
        return isEncrypted == null
                ? QueueOptions.NONE
                : TestOptions.defaults().with(QueueOption.ENCRYPTION_ENABLED, isEncrypted);
    }
}
