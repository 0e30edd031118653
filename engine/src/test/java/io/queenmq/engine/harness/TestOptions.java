package io.queenmq.engine.harness;

import io.queenmq.engine.queue.QueueOption;
import io.queenmq.engine.queue.QueueOptions;

/** Options of queues for tests. */
public final class TestOptions {
    private TestOptions() {}

    /** Returns the options of a queue that was never configured. */
    public static QueueOptions defaults() {
        QueueOptions options = QueueOptions.NONE;
        for (QueueOption option : QueueOption.values()) {
            options = option.isNullable() ? options : options.with(option, option.defaultValue());
        }
        return options;
    }
}
