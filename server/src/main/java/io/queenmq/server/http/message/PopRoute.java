package io.queenmq.server.http.message;

import io.queenmq.engine.Engine;
import io.queenmq.engine.budget.ByteBudget.Share;
import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PopCommand.Source;
import io.queenmq.engine.command.PopOutcome;
import io.queenmq.engine.command.PopOutcome.Delivered;
import io.queenmq.engine.command.ReleaseCommand;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.auth.Identity;
import io.queenmq.server.auth.Right;
import io.queenmq.server.auth.Rights;
import io.queenmq.server.config.PopConfig;
import io.queenmq.server.http.access.Needs;
import io.queenmq.server.http.access.QueueAccess;
import io.queenmq.server.http.access.QueueRoute;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.json.Names;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.QueryString;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Handles pops of a partition, a queue, or all queues of a namespace and task. Consumers of several client libraries stop after
 * an error response, so temporary problems are answered 204.
 */
public final class PopRoute {
    public static final String FILTER_PATH = "/api/v1/pop";
    public static final String QUEUE_PATH = "/api/v1/pop/queue/:queue";
    public static final String PARTITION_PATH = "/api/v1/pop/queue/:queue/partition/:partition";

    private static final int QUEUE_SEGMENT = 4;
    private static final int PARTITION_SEGMENT = 6;

    private final Engine engine;
    private final PopConfig defaults;
    private final PopBody body;
    private final QueueAccess access;

    public PopRoute(Engine engine, PopConfig defaults, PayloadCipher cipher, QueueAccess access) {
        this.access = access;
        this.body = new PopBody(cipher);
        this.engine = engine;
        this.defaults = defaults;
    }

    /** @param parser reads the source of the messages from a request */
    public QueueRoute<Source> of(Function<Exchange, Source> parser) {
        return new QueueRoute<>() {
            @Override
            public Source parse(Exchange exchange, byte[] body) {
                return parser.apply(exchange);
            }

            @Override
            public void addNeeds(Source source, Needs needs) {
                switch (source) {
                    case Source.Partition(String queue, _) -> needs.queue(Right.POP, queue);
                    case Source.Queue(String queue) -> needs.queue(Right.POP, queue);
                    case Source.Filter(String namespace, _) ->
                        needs.add(Right.POP, new Needs.Subject.Namespace(namespace));
                }
            }

            @Override
            public void handle(Exchange exchange, Source source) {
                pop(exchange, source, exchange.query());
            }
        };
    }

    public Source partition(Exchange exchange) {
        String queue = Names.requireQueue(exchange.path().decoded(QUEUE_SEGMENT), "queue");
        String partition = Names.requireName(exchange.path().decoded(PARTITION_SEGMENT), "partition");
        return new Source.Partition(queue, partition);
    }

    public Source queue(Exchange exchange) {
        String queue = Names.requireQueue(exchange.path().decoded(QUEUE_SEGMENT), "queue");
        return new Source.Queue(queue);
    }

    public Source filter(Exchange exchange) {
        QueryString query = exchange.query();
        String namespace = Names.requireText(query.text("namespace"), "namespace");
        String task = Names.requireText(query.text("task"), "task");
        if (namespace.isEmpty() && task.isEmpty()) {
            throw new BadRequest("namespace and task are missing; send one of them, or name a queue in the path");
        }
        return new Source.Filter(namespace, task);
    }

    private void pop(Exchange exchange, Source source, QueryString parameters) {
        PopQuery query = PopQuery.of(parameters, defaults);
        int partitionsMax = source instanceof Source.Partition ? 1 : query.partitionsMax();
        exchange.watchClient();
        engine.submit(new PopCommand(source, query.group(), query.batch(), partitionsMax, query.autoAck(),
                query.waitMax(), query.leaseSeconds(), query.subscription(), gone(exchange, source),
                exchange.reply(outcome -> answer(exchange, outcome), failure -> fail(exchange, failure))));
    }

    /**
     * Returns a check that is true as soon as no messages must be leased for the pop. A pop may wait for an hour. The check is
     * true after the client has closed the connection, after the key of the caller was revoked, and after the queue was moved to
     * a namespace in which the caller has no right.
     */
    private BooleanSupplier gone(Exchange exchange, Source source) {
        Identity caller = exchange.identity();
        if (caller == null || caller.key() == null && caller.rights() == null) {
            return exchange::isGone;
        }
        return () -> exchange.isGone() || !caller.isInForce(Clock.SYSTEM.epochMs())
                || caller.rights() != null && !isStillAllowed(caller.rights(), source);
    }

    private boolean isStillAllowed(Rights rights, Source source) {
        return switch (source) {
            case Source.Partition(String queue, _) -> access.isAllowed(rights, Right.POP, queue);
            case Source.Queue(String queue) -> access.isAllowed(rights, Right.POP, queue);
            case Source.Filter _ -> true;
        };
    }

    private void answer(Exchange exchange, PopOutcome outcome) {
        switch (outcome) {
            case PopOutcome.Empty() -> exchange.noContent();
            case Delivered delivered when exchange.isGone() -> {
                delivered.share().close();
                Lease.of(delivered).release(engine);
            }
            case Delivered delivered -> deliver(exchange, delivered);
        }
    }

    private void deliver(Exchange exchange, Delivered delivered) {
        Share share = delivered.share();
        Lease lease = Lease.of(delivered);
        try {
            JsonBuffer json = exchange.json();
            exchange.countMessages(PopBody.messageCount(delivered));
            body.write(json, delivered);
            // From here on only the response is in memory, no longer the stored lines.
            share.resize(json.length());
            exchange.send(200, json).onComplete(sent -> {
                share.close();
                if (sent.failed()) {
                    lease.release(engine);
                }
            });
        } catch (CipherException e) {
            // The partition is blocked with an error. Ciphertext must not be delivered as a payload.
            share.close();
            lease.release(engine);
            exchange.error(500, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            share.close();
            lease.release(engine);
            throw e;
        }
    }

    private static void fail(Exchange exchange, Failure failure) {
        switch (failure) {
            case Failure.Unavailable _ -> exchange.noContent();
            case Failure.Overloaded _, Failure.Maintenance _, Failure.Refused _ -> exchange.failure(failure);
        }
    }

    /** The partitions and leases of a delivery, kept while its response is written. The messages are not kept. */
    private record Lease(@Nullable UUID id, String group, List<UUID> partitionIds) {
        static Lease of(Delivered delivered) {
            return new Lease(delivered.leaseId(), delivered.group(), PopBody.partitionIds(delivered));
        }

        /**
         * Releases the leases of messages that no consumer received, so that their partitions are not blocked until the
         * leases expire.
         */
        void release(Engine engine) {
            if (id != null) {
                engine.submit(new ReleaseCommand(id, group, partitionIds));
            }
        }
    }
}
