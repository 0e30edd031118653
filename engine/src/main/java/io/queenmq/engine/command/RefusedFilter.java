package io.queenmq.engine.command;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Selects rejected messages of the spool.
 *
 * @param queue null for any
 * @param messageId null for any
 */
public record RefusedFilter(@Nullable String queue, @Nullable UUID messageId) {
    public boolean matches(String otherQueue, UUID otherMessageId) {
        return (queue == null || queue.equals(otherQueue)) && (messageId == null || messageId.equals(otherMessageId));
    }
}
