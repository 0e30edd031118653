package io.queenmq.server.http;

import io.queenmq.engine.Engine;
import io.queenmq.engine.EngineStatus;
import io.queenmq.engine.HistoryChange;
import io.queenmq.engine.catalog.Maintenance;
import io.queenmq.engine.catalog.QueueDirectory;
import io.queenmq.engine.cluster.ClusterReport;
import io.queenmq.engine.cluster.Traffic;
import io.queenmq.engine.command.AckCommand;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.engine.command.ArrivalCommand;
import io.queenmq.engine.command.Command;
import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.ConfigureOutcome;
import io.queenmq.engine.command.CycleCommand;
import io.queenmq.engine.command.CycleOutcome;
import io.queenmq.engine.command.DeleteQueueCommand;
import io.queenmq.engine.command.DropRefusedCommand;
import io.queenmq.engine.command.ListRefusedCommand;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PopOutcome;
import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.command.ReadStateCommand;
import io.queenmq.engine.command.ReadStateOutcome;
import io.queenmq.engine.command.RedrivenCommand;
import io.queenmq.engine.command.RefreshCatalogCommand;
import io.queenmq.engine.command.RefusedMessage;
import io.queenmq.engine.command.RegisterQueryCommand;
import io.queenmq.engine.command.RegisterQueryOutcome;
import io.queenmq.engine.command.ReleaseCommand;
import io.queenmq.engine.command.RenewCommand;
import io.queenmq.engine.command.RenewOutcome;
import io.queenmq.engine.command.ReportTouchedCommand;
import io.queenmq.engine.command.RestoreRefusedCommand;
import io.queenmq.engine.command.TransactCommand;
import io.queenmq.engine.command.TransactOutcome;
import io.queenmq.engine.harness.TestOptions;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.spool.SpoolStatus;
import java.time.Duration;
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
 * An engine without a database: records every command and completes it with success on its own thread, fails it,
 * or leaves it to the test, as configured.
 */
public final class FakeEngine implements Engine, AutoCloseable {
    public static final UUID PARTITION = UUID.fromString("11111111-1111-4111-8111-111111111111");
    public static final UUID QUEUE = UUID.fromString("22222222-2222-4222-8222-222222222222");
    static final OffsetDateTime UNTIL = OffsetDateTime.parse("2026-01-02T03:04:05.678901+00:00");

    private final BlockingQueue<Command> commands = new LinkedBlockingQueue<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    final QueueDirectory queues = new QueueDirectory();
    volatile boolean isConnected = true;
    volatile ClusterReport cluster = new ClusterReport(false, false, new ClusterReport.Self(QUEUE, "host:worker", "1"),
            null, List.of(), new Traffic().counts(), 0, new ClusterReport.QueueCache(0, 0, 0));
    public volatile boolean isSilent;
    volatile SpoolStatus spool = SpoolStatus.OFF;
    volatile Maintenance maintenance = Maintenance.NONE;
    volatile int keylessQueueCount;
    volatile Duration pause = Duration.ZERO;
    volatile HistoryChange historyChange;
    public volatile ConfigureOutcome configureOutcome;
    volatile List<RefusedMessage> refused = List.of();
    public volatile Failure failure;
    public volatile PopOutcome popOutcome = new PopOutcome.Empty();
    public volatile List<PushOutcome> pushOutcomes;
    public volatile List<AckOutcome> ackOutcomes;
    public volatile TransactOutcome transactOutcome;
    public volatile RegisterQueryOutcome registerOutcome = new RegisterQueryOutcome(QUEUE, true, false, false);
    public volatile ReadStateOutcome stateOutcome = new ReadStateOutcome.Rows(List.of());
    public volatile CycleOutcome cycleOutcome = new CycleOutcome.UnknownQuery();
    public volatile RenewOutcome renewOutcome = new RenewOutcome.Renewed(UNTIL);

    /** Returns the recorded commands that were not removed. */
    public List<Command> commands() {
        return List.copyOf(commands);
    }

    /** Waits for the next command and removes it. */
    public <T extends Command> T next(Class<T> type) throws InterruptedException {
        return type.cast(commands.poll(60, TimeUnit.SECONDS));
    }

    public boolean wasAsked() {
        return !commands.isEmpty();
    }

    public void run(Runnable onEngineThread) {
        thread.execute(onEngineThread);
    }

    /** Completes a command that was left to the test. */
    public void answer(PushCommand command) {
        run(() -> command.reply().succeed(queued(command)));
    }

    @Override
    public Duration pause() {
        return pause;
    }

    @Override
    public void submit(Command command) {
        commands.add(command);
        if (!isSilent) {
            thread.execute(() -> reply(command));
        }
    }

    private void reply(Command command) {
        if (failure != null) {
            command.reply().fail(failure);
            return;
        }
        switch (command) {
            case PushCommand push -> push.reply().succeed(pushOutcomes == null ? queued(push) : pushOutcomes);
            case PopCommand pop -> pop.reply().succeed(popOutcome);
            case AckCommand ack -> ack.reply().succeed(ackOutcomes == null ? accepted(ack) : ackOutcomes);
            case TransactCommand transact -> transact.reply().succeed(transactOutcome);
            case RenewCommand renew -> renew.reply().succeed(renewOutcome);
            case RegisterQueryCommand register -> register.reply().succeed(registerOutcome);
            case ReadStateCommand read -> read.reply().succeed(stateOutcome);
            case CycleCommand cycle -> cycle.reply().succeed(cycleOutcome);
            case ConfigureCommand configure ->
                configure.reply().succeed(configureOutcome == null ? configured(configure) : configureOutcome);
            case DeleteQueueCommand delete -> delete.reply().succeed(true);
            case RefreshCatalogCommand refresh -> refresh.reply().succeed(null);
            case ReportTouchedCommand report -> report.reply().succeed(null);
            case ListRefusedCommand list -> list.reply().succeed(refused);
            case RestoreRefusedCommand restore -> restore.reply().succeed(2);
            case DropRefusedCommand drop -> drop.reply().succeed(3);
            case ReleaseCommand _, ArrivalCommand _, RedrivenCommand _ -> {
            }
        }
    }

    private static List<PushOutcome> queued(PushCommand command) {
        return command.items().stream().<PushOutcome>map(_ -> new PushOutcome.Queued(PARTITION, 7)).toList();
    }

    private static List<AckOutcome> accepted(AckCommand command) {
        return command.items().stream().map(_ -> new AckOutcome("q", "p", null, false, false)).toList();
    }

    private static ConfigureOutcome configured(ConfigureCommand command) {
        return new ConfigureOutcome.Configured(
                new Queue(QUEUE, command.queue(), "n", "", TestOptions.defaults(), false, Set.of(), 0));
    }

    @Override
    public EngineStatus status() {
        return new EngineStatus(isConnected, null, historyChange, List.of(), cluster, maintenance, keylessQueueCount);
    }

    @Override
    public SpoolStatus spool() {
        return spool;
    }

    @Override
    public QueueDirectory queues() {
        return queues;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
