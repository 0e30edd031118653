package io.queenmq.server.operator;

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
        public byte[] moved(byte[] data, String fromQueue, String toQueue) {
            return data;
        }
    };

    /**
     * A payload as its producer sent it.
     *
     * @param data the JSON that is stored; answered itself where there is nothing to turn round
     */
    byte[] shown(byte[] data);

    /** A payload as it is to be stored in the queue it is redriven to, which may be the one it comes from. */
    byte[] moved(byte[] data, String fromQueue, String toQueue);
}
