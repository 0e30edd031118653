package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The messages and leases that were lost when the database returned to an earlier state. */
final class Lost {
    private final Map<UUID, StoredMessage> messages = new HashMap<>();
    private final List<LeaseSpan> leases = new ArrayList<>();

    /** @param after the state to which it returns */
    void add(Database before, Database after) {
        Set<UUID> kept = new HashSet<>();
        after.messages.byPartition().values()
                .forEach(partition -> partition.forEach(message -> kept.add(message.messageId())));
        before.messages.byPartition().values()
                .forEach(partition -> partition.stream().filter(message -> !kept.contains(message.messageId()))
                        .forEach(message -> messages.put(message.messageId(), message)));
        List<LeaseSpan> all = before.leaseLog.spans();
        leases.addAll(all.subList(after.leaseLog.spans().size(), all.size()));
    }

    Map<UUID, StoredMessage> messages() {
        return messages;
    }

    List<LeaseSpan> leases() {
        return leases;
    }
}
