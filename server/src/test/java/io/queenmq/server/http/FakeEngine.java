package io.queenmq.server.http;

import io.queenmq.engine.Engine;
import io.queenmq.engine.HistoryChange;
import io.queenmq.engine.ack.AckCommand;
import io.queenmq.engine.ack.AckOutcome;
import io.queenmq.engine.catalog.ConfigureCommand;
import io.queenmq.engine.catalog.ConfigureOutcome;
import io.queenmq.engine.catalog.DeleteQueueCommand;
import io.queenmq.engine.catalog.Maintenance;
import io.queenmq.engine.catalog.Queue;
import io.queenmq.engine.catalog.QueueDirectory;
import io.queenmq.engine.catalog.QueueOptions;
import io.queenmq.engine.cluster.ClusterReport;
import io.queenmq.engine.cluster.Traffic;
import io.queenmq.engine.pop.PopCommand;
import io.queenmq.engine.pop.PopOutcome;
import io.queenmq.engine.push.PushCommand;
import io.queenmq.engine.push.PushOutcome;
import io.queenmq.engine.renew.RenewCommand;
import io.queenmq.engine.renew.RenewOutcome;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.spool.RefusedMessages.Choice;
import io.queenmq.engine.spool.RefusedMessages.RefusedMessage;
import io.queenmq.engine.spool.SpoolStatus;
import io.queenmq.engine.stream.CycleCommand;
import io.queenmq.engine.stream.CycleOutcome;
import io.queenmq.engine.stream.ReadStateCommand;
import io.queenmq.engine.stream.ReadStateOutcome;
import io.queenmq.engine.stream.RegisterQueryCommand;
import io.queenmq.engine.stream.RegisterQueryOutcome;
import io.queenmq.engine.transact.TransactCommand;
import io.queenmq.engine.transact.TransactOutcome;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * An engine without a database: remembers every command and says yes to it from a thread of its own, or fails it when
 * told to, or leaves it for the test to answer.
 */
final class FakeEngine implements Engine, AutoCloseable {
    static final UUID PARTITION = UUID.fromString("11111111-1111-4111-8111-111111111111");
    static final UUID QUEUE = UUID.fromString("22222222-2222-4222-8222-222222222222");
    static final OffsetDateTime UNTIL = OffsetDateTime.parse("2026-01-02T03:04:05.678901+00:00");

    private final BlockingQueue<Object> commands = new LinkedBlockingQueue<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    final QueueDirectory queues = new QueueDirectory();
    volatile boolean isConnected = true;
    volatile ClusterReport cluster = new ClusterReport(false, false,
            new ClusterReport.Self(QUEUE, "host:worker", "1"), null, List.of(), new Traffic().counts(), 0,
            new ClusterReport.QueueCache(0, 0, 0));
    volatile boolean isSilent;
    volatile SpoolStatus spool = SpoolStatus.OFF;
    volatile Maintenance maintenance = Maintenance.NONE;
    volatile int keylessQueueCount;
    volatile HistoryChange historyChange;
    volatile ConfigureOutcome configureOutcome;
    volatile List<RefusedMessage> refused = List.of();
    volatile Failure failure;
    volatile PopOutcome popOutcome = new PopOutcome.Empty();
    volatile List<PushOutcome> pushOutcomes;
    volatile List<AckOutcome> ackOutcomes;
    volatile TransactOutcome transactOutcome;
    volatile RegisterQueryOutcome registerOutcome = new RegisterQueryOutcome(QUEUE, true, false, false);
    volatile ReadStateOutcome stateOutcome = new ReadStateOutcome.Rows(List.of());
    volatile CycleOutcome cycleOutcome = new CycleOutcome.UnknownQuery();
    volatile RenewOutcome renewOutcome = new RenewOutcome.Renewed(UNTIL);

    /** Commands that no test has taken yet. */
    List<Object> commands() {
        return List.copyOf(commands);
    }

    /** The next command, waiting for it. */
    <T> T next(Class<T> type) throws InterruptedException {
        return type.cast(commands.poll(60, TimeUnit.SECONDS));
    }

    boolean wasAsked() {
        return !commands.isEmpty();
    }

    void run(Runnable onEngineThread) {
        thread.execute(onEngineThread);
    }

    /** Answers a command that was left for the test. */
    void answer(PushCommand command) {
        run(() -> command.reply().succeed(queued(command)));
    }

    @Override
    public void push(PushCommand command) {
        take(command, command.reply(), pushOutcomes == null ? queued(command) : pushOutcomes);
    }

    private static List<PushOutcome> queued(PushCommand command) {
        return command.items().stream().<PushOutcome>map(_ -> new PushOutcome.Queued(PARTITION)).toList();
    }

    @Override
    public void pop(PopCommand command) {
        take(command, command.reply(), popOutcome);
    }

    @Override
    public void ack(AckCommand command) {
        List<AckOutcome> accepted = command.items().stream().map(_ -> new AckOutcome("q", "p", null, false, false))
                .toList();
        take(command, command.reply(), ackOutcomes == null ? accepted : ackOutcomes);
    }

    @Override
    public void transact(TransactCommand command) {
        take(command, command.reply(), transactOutcome);
    }

    @Override
    public void renew(RenewCommand command) {
        take(command, command.reply(), renewOutcome);
    }

    @Override
    public void registerQuery(RegisterQueryCommand command) {
        take(command, command.reply(), registerOutcome);
    }

    @Override
    public void readState(ReadStateCommand command) {
        take(command, command.reply(), stateOutcome);
    }

    @Override
    public void cycle(CycleCommand command) {
        take(command, command.reply(), cycleOutcome);
    }

    @Override
    public void configure(ConfigureCommand command) {
        QueueOptions options = new QueueOptions(300, 3, 1000, 1.0, 0, 0, 0, 0L, 3600, 0, false, 0, 0, false, false,
                false,
                null);
        take(command, command.reply(), configureOutcome != null
                ? configureOutcome
                : new ConfigureOutcome.Configured(
                        new Queue(QUEUE, command.queue(), "n", "", options, false, Set.of(), 0)));
    }

    @Override
    public void deleteQueue(DeleteQueueCommand command) {
        take(command, command.reply(), true);
    }

    @Override
    public void release(UUID leaseId, String group, List<UUID> partitionIds) {
        commands.add(new Released(leaseId, group, partitionIds));
    }

    @Override
    public void lookAgain(Reply<Void> reply) {
        take("look again", reply, null);
    }

    @Override
    public void writeTouchedPartitions(Reply<Void> reply) {
        reply.succeed(null);
    }

    @Override
    public void redriven(String queue, String partition, int messages) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void ring(String queue, String partition) {
        commands.add(new Rung(queue, partition));
    }

    @Override
    public Maintenance maintenance() {
        return maintenance;
    }

    @Override
    public int keylessQueueCount() {
        return keylessQueueCount;
    }

    @Override
    public SpoolStatus spool() {
        return spool;
    }

    @Override
    public void listRefused(Choice choice, int max, Reply<List<RefusedMessage>> reply) {
        take(new Listed(choice, max), reply, refused);
    }

    @Override
    public void putBackRefused(Choice choice, Reply<Integer> reply) {
        take(choice, reply, 2);
    }

    @Override
    public void dropRefused(Choice choice, Reply<Integer> reply) {
        take(choice, reply, 3);
    }

    @Override
    public HistoryChange historyChange() {
        return historyChange;
    }

    @Override
    public List<String> shardTroubles() {
        return List.of();
    }

    @Override
    public String databaseComplaint() {
        return null;
    }

    @Override
    public ClusterReport cluster() {
        return cluster;
    }

    @Override
    public QueueDirectory queues() {
        return queues;
    }

    @Override
    public boolean isDatabaseConnected() {
        return isConnected;
    }

    private <T> void take(Object command, Reply<T> reply, T outcome) {
        commands.add(command);
        if (isSilent) {
            return;
        }
        thread.execute(() -> {
            if (failure != null) {
                reply.fail(failure);
            } else {
                reply.succeed(outcome);
            }
        });
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    record Listed(Choice choice, int max) {}

    record Rung(String queue, String partition) {}

    record Released(UUID leaseId, String group, List<UUID> partitionIds) {}
}
