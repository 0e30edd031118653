package io.queenmq.engine.simulation.store;

import io.queenmq.engine.push.TransactionHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A transaction of an application that pushes with {@code queen.push}. Its partitions stay locked until it ends, and
 * its messages are visible after its commit.
 */
public final class OwnTransaction {
    private static final long WINDOW_MESSAGES = 100_000;
    private static final int WINDOW_S = 3_600;

    private final Database database;
    private final List<Message> messages = new ArrayList<>();
    private final Set<UUID> locked = new LinkedHashSet<>();
    /** Partitions that are invisible to others before the commit. */
    private final Map<UUID, Partition> created = new LinkedHashMap<>();

    /** A message that is stored at the commit. */
    private record Message(Partition partition, String transactionId, String line, long pushedAt) {}

    OwnTransaction(Database database) {
        this.database = database;
    }

    /** Returns queued or duplicate. Fails with 55P03 if another transaction has locked the partition. */
    public String push(String queueName, String partitionName, String payload, String transactionId) {
        QueueRow queue = database.catalog.find(queueName);
        if (queue == null) {
            throw SqlError.of("QN005", "there is no queue \"" + queueName + "\"");
        }
        UUID partitionId = PartitionTable.idOf(queue.id(), partitionName);
        if (!locked.contains(partitionId) && database.locks.isPartitionLocked(partitionId)) {
            throw SqlError.locked();
        }
        Partition partition = partitionOf(queue, partitionId, partitionName);
        locked.add(partitionId);
        database.locks.lockPartition(partitionId);
        if (isStored(partition, transactionId)) {
            return "duplicate";
        }
        if (queue.isEncrypted() || queue.maxSize() > 0) {
            throw SqlError.of("QN005", "the queue \"" + queueName + "\" is encrypted or has a maxSize");
        }
        if (database.catalog.isPushMaintenance()) {
            throw SqlError.of("QN005", "pushes are switched off for maintenance");
        }
        String line = "{\"id\":\"" + newMessageId() + "\",\"transactionId\":\"" + transactionId
                + "\",\"traceId\":null,\"producerSub\":null,\"data\":" + payload + "}\n";
        messages.add(new Message(partition, transactionId, line, database.now()));
        return "queued";
    }

    /** Returns the partition, and creates it if it does not exist. */
    private Partition partitionOf(QueueRow queue, UUID partitionId, String partitionName) {
        Partition partition = database.partitions.find(partitionId);
        if (partition != null || created.containsKey(partitionId)) {
            return partition != null ? partition : created.get(partitionId);
        }
        database.locks.requireFree(queue);
        database.locks.shareQueue(queue.id());
        created.put(partitionId, new Partition(partitionId, queue, partitionName, database.now()));
        return created.get(partitionId);
    }

    /** Returns a UUID of version 7, ordered by time. */
    private UUID newMessageId() {
        UUID random = database.newId();
        long millis = (database.now() + 500) / 1_000;
        return new UUID(millis << 16 | random.getMostSignificantBits() & 0xffff | 0x3000,
                random.getLeastSignificantBits());
    }

    private boolean isStored(Partition partition, String transactionId) {
        int window = partition.queue().dedupWindowS() == null ? WINDOW_S : partition.queue().dedupWindowS();
        long oldest = database.now() - window * Moments.SECOND;
        return window > 0 && (messages.stream()
                .anyMatch(message -> message.partition == partition && message.transactionId.equals(transactionId)
                        && message.pushedAt > oldest)
                || partition.segmentList().stream().anyMatch(
                        segment -> isStored(segment, transactionId, partition.head() - WINDOW_MESSAGES, oldest)));
    }

    private static boolean isStored(Segment segment, String transactionId, long first, long oldest) {
        List<String> lines = segment.lines();
        for (int i = 0; i < lines.size(); i++) {
            long offset = segment.base() + i;
            if (offset >= first && segment.acceptedAt(offset) > oldest
                    && MessageLog.field(lines.get(i), "transactionId").equals(transactionId)) {
                return true;
            }
        }
        return false;
    }

    /** Commits, and returns the queues for which servers are notified. */
    public Set<String> commit() {
        Set<String> announced = new LinkedHashSet<>();
        created.values().forEach(database.partitions::add);
        for (Message message : messages) {
            byte[] hash = ByteBuffer.allocate(Long.BYTES).putLong(TransactionHash.of(message.transactionId)).array();
            byte[] line = message.line.getBytes(StandardCharsets.UTF_8);
            Segment stored = message.partition.append(1, hash, line, null, line.length, message.pushedAt);
            database.messages.stored(message.partition, stored);
            message.partition.markActive(database.now());
            announced.add(message.partition.queue().name());
        }
        end();
        return announced;
    }

    public void rollBack() {
        end();
    }

    private void end() {
        locked.forEach(database.locks::unlockPartition);
        created.values().forEach(partition -> database.locks.unshareQueue(partition.queue().id()));
        locked.clear();
        created.clear();
        messages.clear();
    }
}
