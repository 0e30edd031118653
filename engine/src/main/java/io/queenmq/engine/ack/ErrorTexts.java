package io.queenmq.engine.ack;

import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cipher.TextCipher;
import io.queenmq.engine.queue.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Converts errors of failed messages to the form in which they are stored: encrypted if the queue is encrypted, because
 * an error often quotes a part of the payload. Owned by the engine loop.
 */
public final class ErrorTexts {
    static final String NOT_STORED = "(the error text was not stored: the queue is encrypted, and the server that"
            + " received it has no QUEEN_ENCRYPTION_KEY)";

    private final Catalog catalog;
    private final TextCipher cipher;

    public ErrorTexts(Catalog catalog, TextCipher cipher) {
        this.catalog = catalog;
        this.cipher = cipher;
    }

    /** Returns the text to store. An ack never fails because its error cannot be encrypted. */
    @Nullable
    String stored(String queue, @Nullable String error) {
        Queue known = catalog.find(queue);
        if (error == null || known == null || !known.options().encryptionEnabled()) {
            return error;
        }
        return cipher.hasKey() ? cipher.seal(error) : NOT_STORED;
    }
}
