package io.queenmq.client.operator;

import static java.util.Objects.requireNonNull;

import io.queenmq.client.wire.Names;
import org.jspecify.annotations.Nullable;

/**
 * A queue that an application needs, applied at its startup by {@link Queues#define}. Immutable.
 *
 * @param namespace null for none
 * @param task null for none
 * @param options the options that the application sets
 */
public record QueueDefinition(String name, @Nullable String namespace, @Nullable String task, QueueOptions options,
        Mode mode) {
    /** The treatment of a missing or existing queue. */
    public enum Mode {
        /** Create a missing queue. Keep the options of an existing one. */
        CREATE,
        /** Create a missing queue. Set the options of an existing one. */
        CHANGE,
        /** Fail if the queue is missing. Keep the options of an existing one. */
        REQUIRE
    }

    public QueueDefinition {
        Names.requireQueue(name);
        requireNonNull(options, "options");
        requireNonNull(mode, "mode");
    }

    /** Defines a queue that is created if missing, with the defaults of the server. */
    public static QueueDefinition of(String name) {
        return new QueueDefinition(name, null, null, QueueOptions.of(), Mode.CREATE);
    }

    public QueueDefinition namespace(@Nullable String namespace) {
        return new QueueDefinition(name, namespace, task, options, mode);
    }

    public QueueDefinition task(@Nullable String task) {
        return new QueueDefinition(name, namespace, task, options, mode);
    }

    public QueueDefinition options(QueueOptions options) {
        return new QueueDefinition(name, namespace, task, options, mode);
    }

    /** Sets the options at each startup, even if they were changed in the meantime. */
    public QueueDefinition changing() {
        return new QueueDefinition(name, namespace, task, options, Mode.CHANGE);
    }

    /** Creates no queue: it must already exist. */
    public QueueDefinition required() {
        return new QueueDefinition(name, namespace, task, options, Mode.REQUIRE);
    }
}
