package io.queenmq.engine.cipher;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * What a ciphertext is bound to by its additional authenticated data. The end of the encrypted data names the binding, and
 * the authenticated data differs for each, so a binding cannot be changed without the key.
 */
enum Binding {
    /** The message id only: what releases before bindings wrote, entries of the spool, and state of streams. */
    MESSAGE("\"}"),
    /** Queue, partition and message id, for messages whose offset PostgreSQL assigns after they were encrypted. */
    PARTITION("\",\"bound\":\"partition\"}"),
    /** Queue, partition, offset and message id. */
    OFFSET("\",\"bound\":\"offset\"}");

    private final byte[] closing;

    Binding(String closing) {
        this.closing = closing.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the strictest binding for a place; null stands for none. */
    static Binding to(MessagePlace placeOrNull) {
        if (placeOrNull == null) {
            return MESSAGE;
        }
        return placeOrNull.isExact() ? OFFSET : PARTITION;
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

    /** @throws CipherException when the binding needs a place, and there is none */
    byte[] authenticated(UUID messageId, MessagePlace placeOrNull) {
        if (this != MESSAGE && (placeOrNull == null || this == OFFSET && !placeOrNull.isExact())) {
            throw new CipherException("message " + messageId + " cannot be decrypted without its position");
        }
        String text = switch (this) {
            case MESSAGE -> messageId.toString();
            case PARTITION -> "queen:partition:" + placeOrNull.partitionId() + ":" + messageId;
            case OFFSET -> "queen:offset:" + placeOrNull.partitionId() + ":" + placeOrNull.offset() + ":" + messageId;
        };
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Describes why a ciphertext is not accepted. */
    String problem(MessagePlace placeOrNull) {
        return switch (this) {
            case MESSAGE -> "what is stored is not what was encrypted";
            case PARTITION -> "what is stored in partition " + placeOrNull.partitionId()
                    + " was changed or encrypted for another partition or message";
            case OFFSET -> "what is stored at offset " + placeOrNull.offset() + " of partition "
                    + placeOrNull.partitionId() + " was changed or encrypted for another position";
        };
    }
}
