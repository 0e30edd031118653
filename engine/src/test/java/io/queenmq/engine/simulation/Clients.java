package io.queenmq.engine.simulation;

import io.queenmq.engine.command.AckCommand;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PopOutcome;
import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.ReleaseCommand;
import io.queenmq.engine.command.RenewCommand;
import io.queenmq.engine.command.Subscription;
import io.queenmq.engine.command.TransactCommand;
import io.queenmq.engine.command.TransactOutcome;
import io.queenmq.engine.partition.StoredLine;
import io.queenmq.engine.push.TransactionHash;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sends the requests of simulated clients to servers, and records each request and response in the history. Releases
 * leases of disconnected clients, as the HTTP routes do.
 */
final class Clients {
    private final World world;
    private final History history;
    private final Supplier<SimulatedServer> anyServer;
    private final long answerWithinNs;

    /** @param answerWithinNs the maximum duration of a request that does not wait for messages */
    Clients(World world, History history, Supplier<SimulatedServer> anyServer, long answerWithinNs) {
        this.world = world;
        this.history = history;
        this.anyServer = anyServer;
        this.answerWithinNs = answerWithinNs;
    }

    PushItem item(String queue, String partition, String transactionId) {
        UUID id = new UUID(world.random().nextLong() & ~0xf000L | 0x7000, world.random().nextLong());
        String line = "{\"id\":\"" + id + "\",\"transactionId\":\"" + transactionId
                + "\",\"traceId\":null,\"producerSub\":null,\"data\":1}\n";
        return new PushItem(queue, partition, id, transactionId, TransactionHash.of(transactionId), null,
                line.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the same messages for a repeated request, with new ids. */
    List<PushItem> again(List<PushItem> items) {
        return items.stream().map(item -> item(item.queue(), item.partition(), item.transactionId())).toList();
    }

    /** Returns null if no server is running. The response is null if the outcome of the request is unknown. */
    void push(List<PushItem> items, Consumer<History.Push> onAnswer) {
        SimulatedServer server = anyServer.get();
        if (server == null) {
            return;
        }
        History.Request request = request("push", server, answerWithinNs);
        History.Push push = new History.Push(items, request);
        history.pushes().add(push);
        server.engine().submit(new PushCommand(items, reply(request, outcomes -> {
            push.outcomes = outcomes;
            onAnswer.accept(push);
        }, _ -> onAnswer.accept(push))));
    }

    /** @param goneAfterNs the time after which the client disconnects; a very long time if it does not */
    void pop(PopCommand.Source source, String group, int batch, int partitionsMax, boolean isAutoAck, Duration wait,
            long goneAfterNs, Consumer<Popped> onAnswer) {
        SimulatedServer server = anyServer.get();
        if (server == null) {
            return;
        }
        long askedNs = world.nowNs();
        History.Request request = request("pop", server, answerWithinNs + wait.toNanos());
        server.engine()
                .submit(new PopCommand(source, group, batch, partitionsMax, isAutoAck, wait, 0,
                        new Subscription(Subscription.Mode.ALL, null), () -> world.nowNs() - askedNs > goneAfterNs,
                        reply(request, outcome -> onPopped(server, outcome, group, askedNs, goneAfterNs, onAnswer),
                                _ -> onAnswer.accept(Popped.NOTHING))));
    }

    private void onPopped(SimulatedServer server, PopOutcome outcome, String group, long askedNs, long goneAfterNs,
            Consumer<Popped> onAnswer) {
        if (!(outcome instanceof PopOutcome.Delivered delivered)) {
            onAnswer.accept(Popped.NOTHING);
            return;
        }
        List<History.Delivery> messages = messagesOf(server, delivered, group, askedNs);
        delivered.share().close();
        if (world.nowNs() - askedNs > goneAfterNs) {
            if (delivered.leaseId() != null) {
                Set<UUID> partitions = new LinkedHashSet<>();
                messages.forEach(message -> partitions.add(message.partitionId()));
                server.engine().submit(new ReleaseCommand(delivered.leaseId(), group, List.copyOf(partitions)));
            }
            onAnswer.accept(Popped.NOTHING);
            return;
        }
        history.deliveries().addAll(messages);
        onAnswer.accept(new Popped(delivered.leaseId(), messages));
    }

    private List<History.Delivery> messagesOf(SimulatedServer server, PopOutcome.Delivered delivered, String group,
            long askedNs) {
        List<History.Delivery> messages = new ArrayList<>();
        for (PopOutcome.Run run : delivered.runs()) {
            for (int i = run.first(); i < run.end(); i++) {
                byte[] body = run.segment().body();
                int start = run.segment().lineStart(i);
                messages.add(new History.Delivery(run.partitionId(), group, run.segment().base() + i,
                        StoredLine.messageId(body, start), transactionIdOf(body, start), delivered.leaseId(),
                        run.retryCount(), server, askedNs, world.nowNs()));
            }
        }
        return messages;
    }

    private static String transactionIdOf(byte[] body, int lineStart) {
        String text = new String(body, lineStart, Math.min(300, body.length - lineStart), StandardCharsets.UTF_8);
        int from = text.indexOf("\"transactionId\":\"") + 17;
        return text.substring(from, text.indexOf('"', from));
    }

    static AckItem ackItem(History.Delivery message, AckItem.Status status) {
        return new AckItem(message.transactionId(), message.partitionId(), message.group(), message.leaseId(), status,
                status == AckItem.Status.COMPLETED ? null : "simulated");
    }

    /** @param onFailure called if the outcome is unknown */
    void ack(List<History.Delivery> messages, List<AckItem> items, Runnable onFailure) {
        SimulatedServer server = anyServer.get();
        if (server == null) {
            return;
        }
        History.Request request = request("ack", server, answerWithinNs);
        List<History.Ack> acks = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            acks.add(new History.Ack(request, items.get(i), server, messages.get(i).offset(), world.nowNs()));
        }
        history.acks().addAll(acks);
        server.engine().submit(new AckCommand(items, reply(request, outcomes -> {
            for (int i = 0; i < acks.size(); i++) {
                AckOutcome outcome = outcomes.get(i);
                acks.get(i).answeredNs = world.nowNs();
                acks.get(i).isAccepted = outcome.isAccepted();
                acks.get(i).isDead = outcome.isDead();
            }
        }, _ -> onFailure.run())));
    }

    void renew(UUID leaseId) {
        SimulatedServer server = anyServer.get();
        if (server != null) {
            server.engine().submit(
                    new RenewCommand(leaseId, 10, reply(request("renew", server, answerWithinNs), _ -> {}, _ -> {})));
        }
    }

    void transact(List<TransactCommand.Operation> operations, List<UUID> leases, Consumer<TransactOutcome> onAnswer,
            Runnable onFailure) {
        SimulatedServer server = anyServer.get();
        if (server != null) {
            server.engine().submit(new TransactCommand(operations, leases,
                    reply(request("transact", server, answerWithinNs), onAnswer, _ -> onFailure.run())));
        }
    }

    /**
     * Pushes to several partitions in one transaction. The outcomes of the push are null if it took no effect or its
     * outcome is unknown.
     */
    void transact(List<PushItem> items, Consumer<History.Push> onAnswer) {
        SimulatedServer server = anyServer.get();
        if (server == null) {
            return;
        }
        History.Request request = request("transaction", server, answerWithinNs);
        History.Push push = new History.Push(items, request);
        push.isTransaction = true;
        history.pushes().add(push);
        List<TransactCommand.Operation> operations = new ArrayList<>();
        items.forEach(item -> operations.add(new TransactCommand.Operation.Push(item)));
        server.engine().submit(new TransactCommand(operations, List.of(), reply(request, outcome -> {
            if (outcome instanceof TransactOutcome.Committed(var results)) {
                push.outcomes = results.stream().map(each -> ((TransactOutcome.Result.Pushed) each).outcome()).toList();
            }
            onAnswer.accept(push);
        }, _ -> onAnswer.accept(push))));
    }

    private History.Request request(String what, SimulatedServer server, long withinNs) {
        History.Request request = new History.Request(what, server, world.nowNs(), withinNs);
        history.requests().add(request);
        return request;
    }

    /** Delivers responses to the client with a delay, and checks that each request is answered once. */
    private <T> Reply<T> reply(History.Request request, Consumer<T> onSuccess, Consumer<Failure> onFailure) {
        return new Reply<>() {
            @Override
            public void succeed(T outcome) {
                answer(() -> onSuccess.accept(outcome));
            }

            @Override
            public void fail(Failure failure) {
                request.failure = failure;
                answer(() -> onFailure.accept(failure));
            }

            private void answer(Runnable task) {
                if (request.isAnswered()) {
                    history.wrong("a " + request.what + " was answered twice");
                    return;
                }
                request.answeredNs = world.nowNs();
                world.after(100_000, task);
            }
        };
    }

    /** The result of a pop; without messages if it was empty or failed. */
    record Popped(UUID leaseId, List<History.Delivery> messages) {
        static final Popped NOTHING = new Popped(null, List.of());
    }
}
