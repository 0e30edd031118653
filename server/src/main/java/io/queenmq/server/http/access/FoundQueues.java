package io.queenmq.server.http.access;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.engine.catalog.QueueDirectory;
import io.queenmq.server.auth.Right;
import io.queenmq.server.auth.Rights;
import io.queenmq.server.http.access.Needs.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The queues of an object that a request names, as found in the database.
 *
 * @param exists false if the object does not exist
 * @param isEvery true if the object concerns every queue
 */
record FoundQueues(boolean exists, boolean isEvery, List<FoundQueue> queues) {
    /** @param namespace null if only the name is known */
    record FoundQueue(@Nullable String namespace, String name) {}

    /** @param found the document of the routine {@code queues_of_ids} */
    static FoundQueues of(Subject subject, JsonNode found) {
        return switch (subject) {
            case Subject.Partition(UUID id) -> ofQueues(found.path("partitions"), id);
            case Subject.Lease(UUID id) -> ofQueues(found.path("leases"), id);
            case Subject.Source(Needs.Query query) -> ofQuery(found.path("queries"), query, "sourceQueue");
            case Subject.Sink(Needs.Query query) -> ofQuery(found.path("queries"), query, "sinkQueue");
            case Subject.Redrive(UUID id) -> ofRedrive(found.path("redrives"), id);
            case Subject.Queue _, Subject.QueueIn _, Subject.Namespace _ ->
                throw new IllegalArgumentException("not looked up: " + subject);
        };
    }

    private static FoundQueues ofQueues(JsonNode rows, UUID id) {
        List<FoundQueue> queues = new ArrayList<>();
        for (JsonNode row : rows) {
            if (row.path("id").asText().equals(id.toString())) {
                queues.add(new FoundQueue(row.get("namespace").asText(), row.get("queue").asText()));
            }
        }
        return new FoundQueues(!queues.isEmpty(), false, queues);
    }

    private static FoundQueues ofQuery(JsonNode rows, Needs.Query query, String field) {
        for (JsonNode row : rows) {
            boolean isIt = query.id() == null
                    ? row.path("name").asText().equals(query.name())
                    : row.path("id").asText().equals(query.id().toString());
            if (isIt) {
                return new FoundQueues(true, false,
                        row.path(field).isNull() ? List.of() : List.of(new FoundQueue(null, row.path(field).asText())));
            }
        }
        return new FoundQueues(query.mayBeNew(), false, List.of());
    }

    private static FoundQueues ofRedrive(JsonNode rows, UUID id) {
        for (JsonNode row : rows) {
            if (row.path("id").asText().equals(id.toString())) {
                List<FoundQueue> queues = new ArrayList<>();
                for (String field : List.of("queue", "targetQueue")) {
                    if (!row.path(field).isNull()) {
                        queues.add(new FoundQueue(null, row.path(field).asText()));
                    }
                }
                return new FoundQueues(true, row.path("queue").isNull(), queues);
            }
        }
        return new FoundQueues(false, false, List.of());
    }

    boolean isAllowed(Rights rights, Right right, QueueDirectory directory) {
        if (isEvery && !rights.allowEverywhere(right)) {
            return false;
        }
        for (FoundQueue queue : queues) {
            String namespace = queue.namespace == null ? directory.namespaceOf(queue.name) : queue.namespace;
            if (!rights.allow(right, namespace, queue.name)) {
                return false;
            }
        }
        return true;
    }
}
