package io.queenmq.engine;

import io.queenmq.engine.ack.AckCommand;
import io.queenmq.engine.catalog.ConfigureCommand;
import io.queenmq.engine.catalog.DeleteQueueCommand;
import io.queenmq.engine.catalog.Maintenance;
import io.queenmq.engine.catalog.QueueDirectory;
import io.queenmq.engine.cluster.ClusterReport;
import io.queenmq.engine.pop.PopCommand;
import io.queenmq.engine.push.PushCommand;
import io.queenmq.engine.renew.RenewCommand;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.spool.RefusedMessages;
import io.queenmq.engine.spool.SpoolStatus;
import io.queenmq.engine.stream.CycleCommand;
import io.queenmq.engine.stream.ReadStateCommand;
import io.queenmq.engine.stream.RegisterQueryCommand;
import io.queenmq.engine.transact.TransactCommand;
import java.util.List;
import java.util.UUID;

/** The door to the engine loop. Safe from any thread: each call only hands the command over. */
public interface Engine {
    void push(PushCommand command);

    void pop(PopCommand command);

    void ack(AckCommand command);

    void transact(TransactCommand command);

    void renew(RenewCommand command);

    void registerQuery(RegisterQueryCommand command);

    void readState(ReadStateCommand command);

    void cycle(CycleCommand command);

    void configure(ConfigureCommand command);

    void deleteQueue(DeleteQueueCommand command);

    /** Gives back a lease whose messages could not be delivered to the client, as if it had never been given. */
    void release(UUID leaseId, String group, List<UUID> partitionIds);

    /**
     * An operator changed something: the engine looks at once instead of within a second, as other servers do, and answers
     * when it knows.
     */
    void lookAgain(Reply<Void> reply);

    /**
     * Something may have come into the queue's partition, or into any of its partitions when it is null: those who wait look again, here
     * and on other servers.
     */
    void ring(String queue, String partition);

    /** Counts dead letters that a committed transaction moved into a partition, and wakes its consumers on all servers. */
    void redriven(String queue, String partition, int messages);

    /**
     * Writes down in the database which partitions this server's calls have touched, so that whoever counts them next counts
     * everything that was answered before this call.
     */
    void writeTouchedPartitions(Reply<Void> reply);

    /** Returns the queues that this server knows. */
    QueueDirectory queues();

    /** Whether PostgreSQL can be reached at this moment. */
    boolean isDatabaseConnected();

    /** The other servers on the same database, as this one knew them a moment ago. */
    ClusterReport cluster();

    /** What operators have switched off, as far as this server knows. */
    Maintenance maintenance();

    /** How many queues are encrypted that this server has no key for. */
    int keylessQueueCount();

    /** How the spool of this server is. */
    SpoolStatus spool();

    /** What PostgreSQL refused of what this server's spool had accepted, the oldest of it. */
    void listRefused(RefusedMessages.Choice choice, int max, Reply<List<RefusedMessages.RefusedMessage>> reply);

    /** Has refused messages stored once more; answers how many. */
    void putBackRefused(RefusedMessages.Choice choice, Reply<Integer> reply);

    /** Throws refused messages away; answers how many. */
    void dropRefused(RefusedMessages.Choice choice, Reply<Integer> reply);

    /** Why PostgreSQL cannot work though it can be reached, in its own words; null when it can. */
    String databaseComplaint();

    /** When the history of the database last changed, such as by a failover; null when it did not since the server started. */
    HistoryChange historyChange();

    /** What is wrong with shards while others can work, in words for operators. */
    List<String> shardTroubles();
}
