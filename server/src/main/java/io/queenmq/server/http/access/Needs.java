package io.queenmq.server.http.access;

import io.queenmq.server.auth.Right;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The set of rights that one request needs. */
public final class Needs {
    private final Set<Need> all = new LinkedHashSet<>();

    public void add(Right right, Subject subject) {
        all.add(new Need(right, subject));
    }

    public void queue(Right right, String name) {
        add(right, new Subject.Queue(name));
    }

    public void partition(Right right, UUID id) {
        add(right, new Subject.Partition(id));
    }

    Set<Need> all() {
        return all;
    }

    /** One right on one object. */
    record Need(Right right, Subject subject) {}

    /** The object of a right: a queue, or something that belongs to queues. */
    public sealed interface Subject {
        String inWords();

        /** A queue, whether or not it exists. */
        record Queue(String name) implements Subject {
            @Override
            public String inWords() {
                return "queue '" + name + "'";
            }
        }

        /** A queue in the namespace to which the request would move it. */
        record QueueIn(String namespace, String name) implements Subject {
            @Override
            public String inWords() {
                return "queue '" + name + "' in the namespace '" + namespace + "'";
            }
        }

        /** All queues of a namespace; an empty name means all namespaces. */
        record Namespace(String name) implements Subject {
            @Override
            public String inWords() {
                return name.isEmpty() ? "every queue" : "every queue of the namespace '" + name + "'";
            }
        }

        record Partition(UUID id) implements Subject {
            @Override
            public String inWords() {
                return "partition " + id;
            }
        }

        record Lease(UUID id) implements Subject {
            @Override
            public String inWords() {
                return "lease " + id;
            }
        }

        /** The source queue of a stream query. */
        record Source(Query query) implements Subject {
            @Override
            public String inWords() {
                return query.inWords();
            }
        }

        /** The sink queue of a stream query; a query without one concerns no queue. */
        record Sink(Query query) implements Subject {
            @Override
            public String inWords() {
                return query.inWords();
            }
        }

        /** The queue whose dead letters a redrive moves, and the one that it moves them to. */
        record Redrive(UUID id) implements Subject {
            @Override
            public String inWords() {
                return "redrive " + id;
            }
        }
    }

    /**
     * A stream query by its id or by its name; the other one is null.
     *
     * @param mayBeNew true if a query that does not exist may be created by the request
     */
    public record Query(@Nullable UUID id, @Nullable String name, boolean mayBeNew) {
        String inWords() {
            return "stream query " + (id == null ? "'" + name + "'" : id.toString());
        }
    }
}
