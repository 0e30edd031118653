package io.queenmq.server.auth;

import java.security.PublicKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The keys that tokens may be signed with. Safe from any thread. */
interface PublicKeys extends AutoCloseable {
    /** The keys of that id, or all when a token names none; null while none could be fetched at all. */
    List<PublicKey> of(String keyId);

    /** Completes, never with a failure, when it makes sense to look again for a key that was not found. */
    CompletableFuture<Void> lookAgain();

    @Override
    default void close() {}

    /** One key, whatever id a token names. */
    static PublicKeys fixed(PublicKey key) {
        return new PublicKeys() {
            @Override
            public List<PublicKey> of(String keyId) {
                return List.of(key);
            }

            @Override
            public CompletableFuture<Void> lookAgain() {
                return CompletableFuture.completedFuture(null);
            }
        };
    }
}
