package io.queenmq.engine.simulation.store;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** From where groups read partitions they have no cursor in yet. */
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

    /** @param isSought an operator said where the group begins, and the group has not come yet */
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

    /** Whether it is new; one that is there already stays as it is. */
    boolean add(Key key, Subscription subscription) {
        return subscriptions.putIfAbsent(key, subscription) == null;
    }

    void put(Key key, Subscription subscription) {
        subscriptions.put(key, subscription);
    }

    void deleteOf(String queue) {
        subscriptions.keySet().removeIf(key -> key.queue.equals(queue));
    }

    /** When the group first subscribed to the queue by name, or to any queues not by name. */
    OptionalLong subscribedAt(String group, String queue) {
        return subscriptions.entrySet().stream()
                .filter(each -> each.getKey().group.equals(group)
                        && (each.getKey().queue.equals(queue) || each.getKey().queue.isEmpty()))
                .mapToLong(each -> each.getValue().subscribedAt).min();
    }

    boolean isReader(String group, QueueRow queue) {
        return group.equals(Database.NO_GROUP) || subscriptions.entrySet().stream()
                .anyMatch(each -> each.getKey().group.equals(group) && each.getKey().covers(queue)
                        && !each.getValue().isSought);
    }

    /** The group's subscription to the queue itself, or null. */
    Subscription toQueue(String group, QueueRow queue) {
        return find(new Key(group, queue.name(), "", ""));
    }

    boolean hasToQueue(String group, QueueRow queue) {
        return subscriptions.keySet().stream()
                .anyMatch(key -> key.group.equals(group) && key.queue.equals(queue.name()));
    }

    /** The group has come to these queues. */
    void come(String group, Predicate<String> queues) {
        subscriptions.replaceAll((key, was) -> key.group.equals(group) && queues.test(key.queue)
                ? new Subscription(was.mode, was.fromAt, was.subscribedAt)
                : was);
    }

    Collection<Map.Entry<Key, Subscription>> all() {
        return subscriptions.entrySet();
    }
}
