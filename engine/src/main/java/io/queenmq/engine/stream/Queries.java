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
import java.util.UUID;

/**
 * The stream queries: registers them, and remembers which queue each of those in use reads. What is remembered may be
 * outdated; the database has the last word with every cycle. Owned by the engine loop.
 */
public final class Queries {
    private static final int REMEMBERED_MAX = 10_000;

    private final StreamRoutines routines;
    private final Batches<RegisterQueryCommand, RegisterQueryOutcome> registrations;
    private final Batches<Search, String> searches;
    private final Map<UUID, String> sourceQueues = new HashMap<>();

    public Queries(EngineContext context) {
        this.routines = new StreamRoutines(context.apiSchema());
        this.registrations = new Batches<>(context, Operation.REGISTER_QUERY,
                context.connections().ofCatalog(Durability.FLUSHED),
                new RegistrationCarrier());
        this.searches = new Batches<>(context, Operation.FIND_QUERY,
                context.connections().ofCatalog(Durability.RELAXED), new SearchCarrier());
    }

    public void accept(RegisterQueryCommand command) {
        registrations.offer(command);
    }

    /** Answers with the queue the query reads, or null when there is no such query. */
    void find(UUID queryId, Reply<String> reply) {
        String known = sourceQueues.get(queryId);
        if (known != null) {
            reply.succeed(known);
        } else {
            searches.offer(new Search(queryId, reply));
        }
    }

    /** Forgets all queries: another history of the database may not have them. */
    public void forgetAll() {
        sourceQueues.clear();
    }

    void forget(UUID queryId) {
        sourceQueues.remove(queryId);
    }

    private void remember(UUID queryId, String sourceQueue) {
        if (sourceQueues.size() >= REMEMBERED_MAX) {
            sourceQueues.clear();
        }
        sourceQueues.put(queryId, sourceQueue);
    }

    /** Somebody asks for a query. */
    record Search(UUID queryId, Reply<String> reply) {}

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

    private final class SearchCarrier implements Carrier<Search, String> {
        @Override
        public Future<List<String>> carry(Connection connection, List<Search> batch) {
            return routines.find(connection, batch.stream().map(Search::queryId).toArray(UUID[]::new));
        }

        @Override
        public void settle(Search search, String sourceQueue) {
            if (sourceQueue != null) {
                remember(search.queryId, sourceQueue);
            }
            search.reply.succeed(sourceQueue);
        }

        @Override
        public void refuse(Search search, Failure failure) {
            search.reply.fail(failure);
        }
    }
}
