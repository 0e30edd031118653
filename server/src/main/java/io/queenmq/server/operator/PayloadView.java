package io.queenmq.server.operator;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts stored payloads into the form in which they were sent, for example by decryption. All payloads that are shown to
 * operators (message detail, dead letters, traces), and all dead letters that a redrive moves, must pass through it.
 */
public interface PayloadView {
    /** For payloads that are stored as they were sent. */
    PayloadView AS_STORED = new PayloadView() {
        @Override
        public byte[] shown(byte[] data) {
            return data;
        }

        @Override
        public byte[] opened(byte[] line, UUID partitionId, long offset) {
            return line;
        }
    };

    /**
     * Returns a payload as its producer sent it.
     *
     * @param data the payload as the routines return it; the result is the same array if there is nothing to convert
     */
    byte[] shown(byte[] data);

    /**
     * Returns a stored line in clear. It may be encrypted again when it is stored in its new partition.
     *
     * @param line the line without its line break
     * @param partitionId the partition of the message; with the offset, its position
     * @throws RuntimeException if the line cannot be opened; then the message must stay where it is
     */
    byte[] opened(byte[] line, UUID partitionId, long offset);

    /** Returns the document with the errors and traces that are stored encrypted as they were sent. */
    default String textsShown(String document) {
        return document;
    }

    /** Returns true if {@link #sealed} encrypts. */
    default boolean canSeal() {
        return false;
    }

    /** Returns a JSON value as it is stored for a message of an encrypted queue. */
    default String sealed(String json) {
        return json;
    }

    /** Returns the forms in which a text may be stored encrypted, or null if this server has no key. */
    default String @Nullable [] sealedForms(String text) {
        return null;
    }
}
