package io.queenmq.engine.cipher;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Identifies a value of the state of a stream query: it can be decrypted for that query, partition and key only. */
public final class StateId {
    private StateId() {}

    public static UUID of(UUID queryId, UUID partitionId, String key) {
        return UUID.nameUUIDFromBytes((queryId + "/" + partitionId + "/" + key).getBytes(StandardCharsets.UTF_8));
    }
}
