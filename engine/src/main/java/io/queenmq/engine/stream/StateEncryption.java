package io.queenmq.engine.stream;

import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cipher.StateId;
import io.queenmq.engine.queue.Queue;
import java.util.UUID;

/**
 * Encrypts the state of stream queries that read an encrypted queue, because state is made of payloads. Each value is bound to
 * its query, partition and key, so that it cannot replace another value. Owned by the engine loop.
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

    /** @throws io.queenmq.engine.cipher.CipherException if it cannot be encrypted; the value must not be stored then */
    byte[] encrypt(UUID queryId, UUID partitionId, String key, byte[] value) {
        return cipher.encrypt(StateId.of(queryId, partitionId, key), value, 0, value.length);
    }

    /** @throws io.queenmq.engine.cipher.CipherException if no key of this server fits, or the value was changed */
    byte[] decrypt(UUID queryId, UUID partitionId, String key, byte[] encrypted) {
        return cipher.decrypt(StateId.of(queryId, partitionId, key), encrypted);
    }
}
