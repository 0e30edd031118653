package io.queenmq.server.operator;

import java.util.UUID;

/**
 * The one place where stored payloads pass on their way to operators (message detail, dead letters, traces) and from the
 * dead letters back into a partition. What is stored in another form than it was sent is turned round here.
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
     * A payload as its producer sent it.
     *
     * @param data as the routines show it; answered itself where there is nothing to turn round
     */
    byte[] shown(byte[] data);

    /**
     * A stored line as it was before it was stored; where it goes it may be turned round again.
     *
     * @param line without its line break
     * @param partitionId where the message was pushed to; with the offset, its position
     * @throws RuntimeException when it cannot be opened; it must stay where it is then
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
    default String[] sealedForms(String text) {
        return null;
    }
}
