package io.queenmq.server.http.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.engine.catalog.QueueDirectory;
import io.queenmq.engine.queue.Queue;
import io.queenmq.server.auth.Rejection;
import io.queenmq.server.auth.Right;
import io.queenmq.server.auth.Rights;
import io.queenmq.server.http.access.Needs.Need;
import io.queenmq.server.http.access.Needs.Subject;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorOutcome;
import io.queenmq.server.operator.OperatorQueries;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rights of callers whose token or key has rights per queue. Rights on queues and cached
 * partitions are decided in memory. The queues of other partitions, leases, stream queries and redrives are looked up in the
 * database. A request whose rights cannot be decided is rejected. Safe from any thread.
 */
public final class QueueAccess {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final QueueDirectory queues;
    private final OperatorQueries operatorQueries;
    private final QueueOwners owners;

    public QueueAccess(QueueDirectory queues, OperatorQueries operatorQueries) {
        this.queues = queues;
        this.operatorQueries = operatorQueries;
        this.owners = new QueueOwners(queues);
    }

    /**
     * Returns the ids of the queues on which the caller has the right; null for all queues.
     *
     * @param rights null if only the role decides
     */
    public UUID @Nullable [] scope(@Nullable Rights rights, Right right) {
        return rights == null || rights.allowEverywhere(right)
                ? null
                : queues.ids(queue -> rights.allow(right, queue.namespace(), queue.name())).toArray(UUID[]::new);
    }

    /** Returns true if the caller has the right on the queue, whether or not the queue exists. */
    public boolean isAllowed(Rights rights, Right right, String queue) {
        return rights.allow(right, queues.namespaceOf(queue), queue);
    }

    /** Calls the route if the caller has all needed rights; otherwise answers the request. */
    public <T> void check(Exchange exchange, QueueRoute<T> route, T request) {
        Needs needs = new Needs();
        route.addNeeds(request, needs);
        check(exchange, needs, unknown -> {
            if (unknown.subjects().isEmpty()) {
                route.handle(exchange, request);
            } else {
                route.handleUnknown(exchange, request, unknown);
            }
        });
    }

    /** @param then called on the event loop of the request if the caller has all rights, with the objects that do not exist */
    public void check(Exchange exchange, Needs needs, Consumer<Unknown> then) {
        Rights rights = Objects.requireNonNull(exchange.rights());
        List<Need> open = new ArrayList<>();
        for (Need need : needs.all()) {
            Boolean isAllowed = decide(rights, need);
            if (isAllowed == null) {
                open.add(need);
            } else if (!isAllowed) {
                reject(exchange, need);
                return;
            }
        }
        if (open.isEmpty()) {
            then.accept(new Unknown(Set.of()));
        } else {
            lookUp(exchange, open, then);
        }
    }

    /** Returns null if the database must be queried. */
    private @Nullable Boolean decide(Rights rights, Need need) {
        return switch (need.subject()) {
            case Subject.Queue(String name) -> isAllowed(rights, need.right(), name);
            case Subject.QueueIn(String namespace, String name) -> rights.allow(need.right(), namespace, name);
            case Subject.Namespace(String name) ->
                name.isEmpty() ? rights.allowEverywhere(need.right()) : rights.allowNamespace(need.right(), name);
            case Subject.Partition(UUID id) -> {
                Queue queue = owners.find(id);
                yield queue == null ? null : rights.allow(need.right(), queue.namespace(), queue.name());
            }
            case Subject.Lease _, Subject.Source _, Subject.Sink _, Subject.Redrive _ -> null;
        };
    }

    private void lookUp(Exchange exchange, List<Need> open, Consumer<Unknown> then) {
        Set<UUID> partitions = new HashSet<>();
        Set<UUID> leases = new HashSet<>();
        Set<UUID> queryIds = new HashSet<>();
        Set<String> queryNames = new HashSet<>();
        Set<UUID> redrives = new HashSet<>();
        for (Need need : open) {
            switch (need.subject()) {
                case Subject.Partition(UUID id) -> partitions.add(id);
                case Subject.Lease(UUID id) -> leases.add(id);
                case Subject.Source(Needs.Query query) -> add(query, queryIds, queryNames);
                case Subject.Sink(Needs.Query query) -> add(query, queryIds, queryNames);
                case Subject.Redrive(UUID id) -> redrives.add(id);
                case Subject.Queue _, Subject.QueueIn _, Subject.Namespace _ ->
                    throw new IllegalStateException("decided without the database: " + need);
            }
        }
        operatorQueries.call(new OperatorCall("queues_of_ids",
                List.of(ids(partitions), ids(leases), ids(queryIds), queryNames.toArray(String[]::new), ids(redrives)),
                exchange.reply(outcome -> exchange.attempt(() -> decide(exchange, open, read(outcome), then)))));
    }

    private static void add(Needs.Query query, Set<UUID> ids, Set<String> names) {
        if (query.id() != null) {
            ids.add(query.id());
        } else {
            names.add(query.name());
        }
    }

    private static UUID[] ids(Set<UUID> ids) {
        return ids.toArray(UUID[]::new);
    }

    private static JsonNode read(OperatorOutcome outcome) {
        if (outcome instanceof OperatorOutcome.Document(var json)) {
            try {
                return JSON.readTree(json);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }
        throw new IllegalStateException("queues_of_ids returned " + outcome);
    }

    private void decide(Exchange exchange, List<Need> open, JsonNode found, Consumer<Unknown> then) {
        Rights rights = Objects.requireNonNull(exchange.rights());
        Set<Subject> unknown = new HashSet<>();
        for (JsonNode partition : found.path("partitions")) {
            owners.add(UUID.fromString(partition.get("id").asText()),
                    UUID.fromString(partition.get("queueId").asText()));
        }
        for (Need need : open) {
            FoundQueues queuesOfNeed = FoundQueues.of(need.subject(), found);
            if (!queuesOfNeed.exists()) {
                unknown.add(need.subject());
            } else if (!queuesOfNeed.isAllowed(rights, need.right(), queues)) {
                reject(exchange, need);
                return;
            }
        }
        then.accept(new Unknown(unknown));
    }

    private static void reject(Exchange exchange, Need need) {
        String of = switch (need.subject()) {
            case Subject.Queue _, Subject.QueueIn _, Subject.Namespace _ -> " on ";
            case Subject.Partition _, Subject.Lease _, Subject.Source _, Subject.Sink _, Subject.Redrive _ ->
                " on the queues of ";
        };
        exchange.forbid(
                Rejection.FORBIDDEN.because(need.right().word() + of + need.subject().inWords() + " is needed"));
    }
}
