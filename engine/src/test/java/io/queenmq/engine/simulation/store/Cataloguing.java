package io.queenmq.engine.simulation.store;

import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;

/** The routines create_queues, configure and delete_queue, and the queries with which servers load the catalog. */
final class Cataloguing {
    private static final long LIMIT_DOUBTED_FOR = 5 * Moments.SECOND;

    private final Database database;

    Cataloguing(Database database) {
        this.database = database;
    }

    Answer createQueues(Arguments arguments) {
        String[] names = arguments.strings("names");
        boolean isChanged = false;
        Answer answer = QueueRow.answer();
        for (int i = 0; i < names.length; i++) {
            QueueRow queue = database.catalog.find(names[i]);
            if (queue == null) {
                queue = add(names[i], arguments.strings("namespaces")[i], arguments.strings("tasks")[i]);
                isChanged = true;
            }
            answer.add(queue.values());
        }
        if (isChanged) {
            database.catalog.change();
        }
        return answer;
    }

    Answer configure(Arguments arguments) {
        String name = arguments.string("name");
        QueueRow queue = database.catalog.find(name);
        if (queue == null) {
            queue = add(name, "", "");
        }
        database.locks.requireFree(queue);
        boolean wasEncrypted = queue.isEncrypted();
        queue.configure(arguments);
        UUID defaultPartition = PartitionTable.idOf(queue.id(), "Default");
        if (!database.locks.isPartitionLocked(defaultPartition)) {
            database.partitions.create(defaultPartition, queue, "Default", database.now());
        }
        if (arguments.json("options").getLong("max_size", 0L) > 0) {
            database.sizes.limit(queue, database.now() + LIMIT_DOUBTED_FOR);
        }
        if (queue.isEncrypted() && !wasEncrypted) {
            database.catalog.changeEncryption();
        }
        database.catalog.change();
        return QueueRow.answer().add(queue.values());
    }

    private QueueRow add(String name, String namespace, String task) {
        QueueRow queue = new QueueRow(database.newId(), name, namespace, task, database.now());
        database.catalog.add(queue);
        return queue;
    }

    Answer deleteQueue(Arguments arguments) {
        QueueRow queue = database.catalog.find(arguments.string("name"));
        if (queue == null) {
            return Answer.of(false);
        }
        database.locks.requireFree(queue);
        database.locks.requireUnshared(queue);
        List<Partition> partitions = database.partitions.of(queue.id());
        for (Partition partition : partitions) {
            database.locks.requireFree(partition);
            database.cursors.of(partition).forEach(database.locks::requireFree);
        }
        for (Partition partition : partitions) {
            database.cursors.of(partition).forEach(cursor -> database.cursors.delete(cursor, database.now()));
            database.partitions.delete(partition);
        }
        database.deadLetters.deleteOf(queue);
        database.sizes.delete(queue);
        database.subscriptions.deleteOf(queue.name());
        database.catalog.delete(queue);
        database.catalog.change();
        return Answer.of(true);
    }

    Answer state() {
        CatalogTable catalog = database.catalog;
        return new Answer(List.of("version", "subscription_version", "partitions_since", "push_maintenance",
                "pop_maintenance", "encryption_epoch", "clock_timestamp", "binds_messages")).add(catalog.version(),
                        catalog.subscriptionVersion(), catalog.partitionsSince(), catalog.isPushMaintenance(),
                        catalog.isPopMaintenance(), catalog.shownEncryptionEpoch(), Moments.of(database.now()),
                        catalog.isBinding());
    }

    Answer queues() {
        Answer answer = QueueRow.answer();
        database.catalog.queues().forEach(queue -> answer.add(queue.values()));
        return answer;
    }

    Answer revisedPartitions(Tuple arguments) {
        Answer answer = new Answer(List.of("queue", "partition"));
        for (UUID partitionId : database.catalog.revisedSince(arguments.getLong(0))) {
            Partition partition = database.partitions.find(partitionId);
            if (partition != null) {
                answer.add(partition.queue().name(), partition.name());
            }
        }
        return answer;
    }
}
