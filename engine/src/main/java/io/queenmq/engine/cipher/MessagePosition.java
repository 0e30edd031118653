package io.queenmq.engine.cipher;

import java.util.UUID;

/**
 * The position of a stored message. A ciphertext that is bound to it can be decrypted at this position only.
 *
 * @param partitionId identifies the queue, too: it is derived from the queue's id and the partition's name
 * @param offset {@link #UNKNOWN_OFFSET} if PostgreSQL assigns it later
 */
public record MessagePosition(UUID partitionId, long offset) {
    public static final long UNKNOWN_OFFSET = -1;

    /** Returns true if the offset is known. */
    boolean isExact() {
        return offset >= 0;
    }
}
