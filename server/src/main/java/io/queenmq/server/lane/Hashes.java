package io.queenmq.server.lane;

import io.vertx.core.buffer.Buffer;

/** TransactionId hashes as a segment stores them: eight bytes each, big endian. */
public final class Hashes {
    private Hashes() {}

    public static long[] of(Buffer bytes) {
        long[] hashes = new long[bytes.length() / Long.BYTES];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = bytes.getLong(i * Long.BYTES);
        }
        return hashes;
    }
}
