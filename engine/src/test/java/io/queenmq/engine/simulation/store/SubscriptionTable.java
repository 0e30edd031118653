package io.queenmq.engine.simulation.store;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** The start positions of groups in partitions without a cursor. */
final class SubscriptionTable {
    private final Map<Key, Subscription> subscriptions = new LinkedHashMap<>();

    /** A group and its queue; or '' with the namespace and task of the queues ('' = any). */
    record Key(String group, String queue, String namespace, String task) {
        boolean covers(QueueRow row) {
            return queue.equals(row.name())
                    || queue.isEmpty() && (namespace.isEmpty() || namespace.equals(row.namespace()))
                            && (task.isEmpty() || task.equals(row.task()));
        }
    }

    /** @param isSought true if an operator has set the start position, and the group has not read yet */
    record Subscription(String mode, Long fromAt, long subscribedAt, boolean isSought) {
        Subscription(String mode, Long fromAt, long subscribedAt) {
            this(mode, fromAt, subscribedAt, false);
        }
    }

    void copyFrom(SubscriptionTable source) {
        subscriptions.clear();
        subscriptions.putAll(source.subscriptions);
    }

    Subscription find(Key key) {
        return subscriptions.get(key);
    }

    /** Returns true if it is new. An existing one is unchanged. */
    boolean add(Key key, Subscription subscription) {
        return subscriptions.putIfAbsent(key, subscription) == null;
    }

    void put(Key key, Subscription subscription) {
        subscriptions.put(key, subscription);
    }

    void deleteOf(String queue) {
        subscriptions.keySet().removeIf(key -> key.queue.equals(queue));
    }

    /** Returns the time at which the group first subscribed to the queue by name, or to queues by a filter. */
    OptionalLong subscribedAt(String group, String queue) {
        return subscriptions.entrySet().stream()
                .filter(each -> each.getKey().group.equals(group)
                        && (each.getKey().queue.equals(queue) || each.getKey().queue.isEmpty()))
                .mapToLong(each -> each.getValue().subscribedAt).min();
    }

    boolean isReader(String group, QueueRow queue) {
        return group.equals(Database.NO_GROUP) || subscriptions.entrySet().stream().anyMatch(
                each -> each.getKey().group.equals(group) && each.getKey().covers(queue) && !each.getValue().isSought);
    }

    /** Returns the subscription of the group to the queue itself, or null. */
    Subscription toQueue(String group, QueueRow queue) {
        return find(new Key(group, queue.name(), "", ""));
    }

    boolean hasToQueue(String group, QueueRow queue) {
        return subscriptions.keySet().stream()
                .anyMatch(key -> key.group.equals(group) && key.queue.equals(queue.name()));
    }

    /** Records that the group has read these queues. */
    void markAsReading(String group, Predicate<String> queues) {
        subscriptions.replaceAll((key, was) -> key.group.equals(group) && queues.test(key.queue)
                ? new Subscription(was.mode, was.fromAt, was.subscribedAt)
                : was);
    }

    Collection<Map.Entry<Key, Subscription>> all() {
        return subscriptions.entrySet();
    }
}
