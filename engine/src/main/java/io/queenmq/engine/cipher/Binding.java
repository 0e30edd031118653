package io.queenmq.engine.cipher;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The context that the additional authenticated data of a ciphertext contains. The end of the encrypted data names the
 * binding. The authenticated data differs for each binding, so a binding cannot be changed without the key.
 */
enum Binding {
    /** The message id only: messages of earlier releases, entries of the spool, and state of streams. */
    MESSAGE("\"}"),
    /** Queue, partition and message id, for messages whose offset PostgreSQL assigns after they were encrypted. */
    PARTITION("\",\"bound\":\"partition\"}"),
    /** Queue, partition, offset and message id. */
    OFFSET("\",\"bound\":\"offset\"}");

    private final byte[] closing;

    Binding(String closing) {
        this.closing = closing.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the strictest binding for a position, or {@link #MESSAGE} if the position is null. */
    static Binding to(@Nullable MessagePosition position) {
        if (position == null) {
            return MESSAGE;
        }
        return position.isExact() ? OFFSET : PARTITION;
    }

    /** Returns the binding of encrypted data, by its end. */
    static Binding of(byte[] data) {
        return OFFSET.isEndOf(data) ? OFFSET : PARTITION.isEndOf(data) ? PARTITION : MESSAGE;
    }

    private boolean isEndOf(byte[] data) {
        int start = data.length - closing.length;
        return start >= 0 && Arrays.equals(data, start, data.length, closing, 0, closing.length);
    }

    /** Returns the end of encrypted data, after the key id. */
    byte[] closing() {
        return closing;
    }

    /** @throws CipherException if the binding needs a position and none is given */
    byte[] authenticated(UUID messageId, @Nullable MessagePosition position) {
        if (this == MESSAGE) {
            return messageId.toString().getBytes(StandardCharsets.US_ASCII);
        }
        if (position == null || this == OFFSET && !position.isExact()) {
            throw new CipherException("message " + messageId + " cannot be decrypted without its position");
        }
        String text = this == PARTITION
                ? "queen:partition:" + position.partitionId() + ":" + messageId
                : "queen:offset:" + position.partitionId() + ":" + position.offset() + ":" + messageId;
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Describes why a ciphertext is rejected. */
    String problem(@Nullable MessagePosition position) {
        if (this == MESSAGE || position == null) {
            return "the stored data was changed";
        }
        return this == PARTITION
                ? "the data stored in partition " + position.partitionId()
                        + " was changed or encrypted for another partition or message"
                : "the data stored at offset " + position.offset() + " of partition " + position.partitionId()
                        + " was changed or encrypted for another position";
    }
}
