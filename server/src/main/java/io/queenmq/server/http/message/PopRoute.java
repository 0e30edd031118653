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

/**
 * Hands messages out, from a partition, a queue, or all queues of a namespace and task. Consumers of several clients end
 * themselves when a pop is answered with an error, so whatever may pass by itself is answered 204: nothing here yet.
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

    /** @param parser reads where a request pops from */
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
                pop(exchange, source, query(exchange));
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
        QueryString query = query(exchange);
        String namespace = Names.requireText(query.text("namespace"), "namespace");
        String task = Names.requireText(query.text("task"), "task");
        if (namespace.isEmpty() && task.isEmpty()) {
            throw new BadRequest("namespace and task are missing: give one of them, or name a queue in the path");
        }
        return new Source.Filter(namespace, task);
    }

    private static QueryString query(Exchange exchange) {
        return QueryString.parse(exchange.request().query());
    }

    private void pop(Exchange exchange, Source source, QueryString parameters) {
        PopQuery query = PopQuery.of(parameters, defaults);
        int partitionsMax = source instanceof Source.Partition ? 1 : query.partitionsMax();
        exchange.watchClient();
        engine.submit(
                new PopCommand(source, query.group(), query.batch(), partitionsMax, query.autoAck(), query.waitMax(),
                        query.subscription(), gone(exchange, source),
                        exchange.reply(outcome -> answer(exchange, outcome), failure -> fail(exchange, failure))));
    }

    /**
     * A pop may wait for an hour. Nothing is leased for it any more after its key was revoked, or after its queue was moved to a
     * namespace in which its caller has no right.
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
                Lease.of(delivered).giveBack(engine);
            }
            case Delivered delivered -> deliver(exchange, delivered);
        }
    }

    private void deliver(Exchange exchange, Delivered delivered) {
        Share share = delivered.share();
        Lease lease = Lease.of(delivered);
        try {
            JsonBuffer json = exchange.json();
            exchange.about(PopBody.messageCount(delivered));
            body.write(json, delivered);
            // From here on it is the answer that is in memory, and not what it was made of.
            share.resize(json.length());
            exchange.send(200, json).onComplete(sent -> {
                share.close();
                if (sent.failed()) {
                    lease.giveBack(engine);
                }
            });
        } catch (CipherException e) {
            // Better that the partition stands still, and somebody says why, than that ciphertext is taken for a payload.
            share.close();
            lease.giveBack(engine);
            exchange.error(500, e.getMessage());
        } catch (RuntimeException e) {
            share.close();
            lease.giveBack(engine);
            throw e;
        }
    }

    private static void fail(Exchange exchange, Failure failure) {
        switch (failure) {
            case Failure.Unavailable _ -> exchange.noContent();
            case Failure.Overloaded _, Failure.Maintenance _, Failure.Refused _ -> exchange.failure(failure);
        }
    }

    /** What has to be known of a delivery while its answer is being written; the messages themselves are not kept for that. */
    private record Lease(UUID id, String group, List<UUID> partitionIds) {
        static Lease of(Delivered delivered) {
            return new Lease(delivered.leaseId(), delivered.group(), PopBody.partitionIds(delivered));
        }

        /** Nobody received the messages, so the partitions must not stay blocked until the lease runs out. */
        void giveBack(Engine engine) {
            if (id != null) {
                engine.submit(new ReleaseCommand(id, group, partitionIds));
            }
        }
    }
}
