package io.queenmq.engine.stream;

import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cipher.StatePlace;
import io.queenmq.engine.command.StateOp;
import io.queenmq.engine.queue.Queue;
import java.util.UUID;

/**
 * State is made of payloads, so it is stored encrypted where the queue it comes from is. Each value is bound to its
 * query, partition and key, so that none can be put into another's place. Owned by the engine loop.
 */
final class StateEncryption {
    private final Catalog catalog;
    private final PayloadCipher cipher;

    StateEncryption(Catalog catalog, PayloadCipher cipher) {
        this.catalog = catalog;
        this.cipher = cipher;
    }

    boolean isRequiredFor(String sourceQueue) {
        Queue queue = catalog.find(sourceQueue);
        return queue != null && queue.options().encryptionEnabled();
    }

    /** @throws io.queenmq.engine.cipher.CipherException when it cannot be; the value must not be stored then */
    byte[] seal(UUID queryId, UUID partitionId, StateOp op) {
        return cipher.encrypt(StatePlace.of(queryId, partitionId, op.key()), op.value(), 0, op.value().length);
    }

    /** @throws io.queenmq.engine.cipher.CipherException when no key of this server fits, or it is not what was stored */
    byte[] open(UUID queryId, UUID partitionId, String key, byte[] sealed) {
        return cipher.decrypt(StatePlace.of(queryId, partitionId, key), sealed);
    }
}
