package io.queenmq.server.simulation.store;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** From where groups read lanes they have no cursor in yet. */
final class SubscriptionTable {
    private final Map<Key, Subscription> subscriptions = new LinkedHashMap<>();

    /** A group, and the queue it reads; or '' and the namespace and task of the queues ('' = any). */
    record Key(String group, String queue, String namespace, String task) {
        boolean covers(QueueRow row) {
            return queue.equals(row.name())
                    || queue.isEmpty() && (namespace.isEmpty() || namespace.equals(row.namespace()))
                            && (task.isEmpty() || task.equals(row.task()));
        }
    }

    record Subscription(String mode, Long fromAt, long subscribedAt) {}

    Subscription find(Key key) {
        return subscriptions.get(key);
    }

    /** Whether it is new; one that is there already stays as it is. */
    boolean add(Key key, Subscription subscription) {
        return subscriptions.putIfAbsent(key, subscription) == null;
    }

    void put(Key key, Subscription subscription) {
        subscriptions.put(key, subscription);
    }

    void deleteOf(String group, String queue) {
        subscriptions.keySet().removeIf(key -> key.group.equals(group) && key.queue.equals(queue));
    }

    /** When the group first subscribed to the queue by name, or to any queues not by name. */
    OptionalLong subscribedAt(String group, String queue) {
        return subscriptions.entrySet().stream()
                .filter(each -> each.getKey().group.equals(group)
                        && (each.getKey().queue.equals(queue) || each.getKey().queue.isEmpty()))
                .mapToLong(each -> each.getValue().subscribedAt).min();
    }

    boolean isReader(String group, QueueRow queue) {
        return group.equals(Database.NO_GROUP)
                || subscriptions.keySet().stream().anyMatch(key -> key.group.equals(group) && key.covers(queue));
    }

    Collection<Map.Entry<Key, Subscription>> all() {
        return subscriptions.entrySet();
    }
}
