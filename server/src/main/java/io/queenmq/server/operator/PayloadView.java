package io.queenmq.server.operator;

import java.util.UUID;

/**
 * The one place where stored payloads pass on their way to operators (message detail, dead letters, traces) and from the
 * dead letters back into a lane. What is stored in another form than it was sent is turned round here.
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
}
