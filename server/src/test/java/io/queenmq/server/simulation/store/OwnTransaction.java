package io.queenmq.server.simulation.store;

import io.queenmq.server.push.TransactionHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A transaction of somebody's own program that pushes with {@code queen.push}: lanes stay locked until it ends, and its
 * messages are there when it commits.
 */
public final class OwnTransaction {
    private static final long WINDOW_MESSAGES = 100_000;
    private static final int WINDOW_S = 3_600;

    private final Database database;
    private final List<Message> messages = new ArrayList<>();
    private final Set<UUID> locked = new LinkedHashSet<>();

    /** A message that waits for the commit. */
    private record Message(QueueRow queue, UUID laneId, String lane, String transactionId, String line,
            long pushedAt) {}

    OwnTransaction(Database database) {
        this.database = database;
    }

    /** Queued, or duplicate; 55P03 where another transaction has the lane. */
    public String push(String queueName, String laneName, String payload, String transactionId) {
        QueueRow queue = database.catalog.find(queueName);
        if (queue == null) {
            throw SqlError.of("QN005", "there is no queue \"" + queueName + "\"");
        }
        UUID laneId = LaneTable.idOf(queue.id(), laneName);
        if (!locked.contains(laneId) && database.locks.isLaneLocked(laneId)) {
            throw SqlError.locked();
        }
        locked.add(laneId);
        database.locks.lockLane(laneId);
        if (isStored(queue, laneId, transactionId)) {
            return "duplicate";
        }
        if (queue.isEncrypted() || queue.maxSize() > 0) {
            throw SqlError.of("QN005", "the queue \"" + queueName + "\" is encrypted or has a maxSize");
        }
        if (database.catalog.isPushMaintenance()) {
            throw SqlError.of("QN005", "pushes are switched off for maintenance");
        }
        String line = "{\"id\":\"" + database.newId() + "\",\"transactionId\":\"" + transactionId
                + "\",\"traceId\":null,\"producerSub\":null,\"data\":" + payload + "}\n";
        messages.add(new Message(queue, laneId, laneName, transactionId, line, database.now()));
        return "queued";
    }

    private boolean isStored(QueueRow queue, UUID laneId, String transactionId) {
        Lane lane = database.lanes.find(laneId);
        long oldest = database.now()
                - (queue.dedupWindowS() == null ? WINDOW_S : queue.dedupWindowS()) * Moments.SECOND;
        return messages.stream()
                .anyMatch(message -> message.laneId.equals(laneId) && message.transactionId.equals(transactionId))
                || lane != null && lane.segmentList().stream()
                        .filter(segment -> segment.base() >= lane.head() - WINDOW_MESSAGES
                                && segment.createdAt() > oldest)
                        .flatMap(segment -> segment.lines().stream())
                        .anyMatch(line -> MessageLog.field(line, "transactionId").equals(transactionId));
    }

    /** Everything is there now; answers the queues whose servers hear of it. */
    public Set<String> commit() {
        Set<String> announced = new LinkedHashSet<>();
        for (Message message : messages) {
            Lane lane = database.lanes.create(message.laneId, message.queue, message.lane, message.pushedAt);
            byte[] hash = ByteBuffer.allocate(Long.BYTES).putLong(TransactionHash.of(message.transactionId)).array();
            byte[] line = message.line.getBytes(StandardCharsets.UTF_8);
            Segment stored = lane.append(1, hash, line, line.length, message.pushedAt);
            database.messages.stored(lane, stored);
            lane.markActive(database.now());
            announced.add(message.queue.name());
        }
        end();
        return announced;
    }

    public void rollBack() {
        end();
    }

    private void end() {
        locked.forEach(database.locks::unlockLane);
        locked.clear();
        messages.clear();
    }
}
