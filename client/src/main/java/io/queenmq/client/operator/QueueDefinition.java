package io.queenmq.client.operator;

import static java.util.Objects.requireNonNull;

import io.queenmq.client.wire.Names;
import org.jspecify.annotations.Nullable;

/**
 * A queue that an application needs, and what is to be done at its start: see {@link Queues#define}. Immutable.
 *
 * @param namespace null for none
 * @param task null for none
 * @param options those that matter to the application
 */
public record QueueDefinition(String name, @Nullable String namespace, @Nullable String task, QueueOptions options,
        Mode mode) {
    /** What happens to a queue that is there, or is not. */
    public enum Mode {
        /** One that is not there is created; one that is there stays as operators have left it. */
        CREATE,
        /** One that is not there is created; one that is there gets the options of the definition. */
        CHANGE,
        /** One that is not there is an error; one that is there stays as it is. */
        REQUIRE
    }

    public QueueDefinition {
        Names.requireQueue(name);
        requireNonNull(options, "options");
        requireNonNull(mode, "mode");
    }

    /** Created if it is not there, with the server's defaults. */
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

    /** From now on the options are set at each start, whoever has changed them meanwhile. */
    public QueueDefinition changing() {
        return new QueueDefinition(name, namespace, task, options, Mode.CHANGE);
    }

    /** It is only looked for: somebody else creates it. */
    public QueueDefinition required() {
        return new QueueDefinition(name, namespace, task, options, Mode.REQUIRE);
    }
}
