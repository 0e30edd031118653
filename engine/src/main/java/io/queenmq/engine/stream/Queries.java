package io.queenmq.engine.stream;

import io.queenmq.engine.batch.Batches;
import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.command.RegisterQueryCommand;
import io.queenmq.engine.command.RegisterQueryOutcome;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Registers stream queries, and caches the source queue of each query in use. A cached entry may be outdated; the
 * database checks it with every cycle. Owned by the engine loop.
 */
public final class Queries {
    private static final int CACHED_MAX = 10_000;

    private final StreamRoutines routines;
    private final Batches<RegisterQueryCommand, RegisterQueryOutcome> registrations;
    private final Batches<Search, Optional<String>> searches;
    private final Map<UUID, String> sourceQueues = new HashMap<>();

    public Queries(EngineContext context) {
        this.routines = new StreamRoutines(context.apiSchema());
        this.registrations = new Batches<>(context, Operation.REGISTER_QUERY,
                context.connections().ofCatalog(Durability.FLUSHED), new RegistrationCarrier());
        this.searches = new Batches<>(context, Operation.FIND_QUERY,
                context.connections().ofCatalog(Durability.RELAXED), new SearchCarrier());
    }

    public void accept(RegisterQueryCommand command) {
        registrations.offer(command);
    }

    /** Replies with the queue that the query reads; empty if the query does not exist. */
    void find(UUID queryId, Reply<Optional<String>> reply) {
        String known = sourceQueues.get(queryId);
        if (known != null) {
            reply.succeed(Optional.of(known));
        } else {
            searches.offer(new Search(queryId, reply));
        }
    }

    /** Clears the cache, because another history of the database may not have these queries. */
    public void forgetAll() {
        sourceQueues.clear();
    }

    void forget(UUID queryId) {
        sourceQueues.remove(queryId);
    }

    private void remember(UUID queryId, String sourceQueue) {
        if (sourceQueues.size() >= CACHED_MAX) {
            sourceQueues.clear();
        }
        sourceQueues.put(queryId, sourceQueue);
    }

    /** A lookup of a query. */
    record Search(UUID queryId, Reply<Optional<String>> reply) {}

    private final class RegistrationCarrier implements Carrier<RegisterQueryCommand, RegisterQueryOutcome> {
        @Override
        public Future<List<RegisterQueryOutcome>> carry(Connection connection, List<RegisterQueryCommand> batch) {
            return routines.register(connection, batch.getFirst()).map(List::of);
        }

        @Override
        public void settle(RegisterQueryCommand command, RegisterQueryOutcome outcome) {
            forget(outcome.queryId());
            command.reply().succeed(outcome);
        }

        @Override
        public void refuse(RegisterQueryCommand command, Failure failure) {
            command.reply().fail(failure);
        }
    }

    private final class SearchCarrier implements Carrier<Search, Optional<String>> {
        @Override
        public Future<List<Optional<String>>> carry(Connection connection, List<Search> batch) {
            return routines.find(connection, batch.stream().map(Search::queryId).toArray(UUID[]::new));
        }

        @Override
        public void settle(Search search, Optional<String> sourceQueue) {
            sourceQueue.ifPresent(queue -> remember(search.queryId, queue));
            search.reply.succeed(sourceQueue);
        }

        @Override
        public void refuse(Search search, Failure failure) {
            search.reply.fail(failure);
        }
    }
}
