package io.queenmq.server.auth;

import com.nimbusds.jose.JWSAlgorithm;
import java.security.PublicKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The public keys that tokens may be signed with. Safe from any thread. */
interface PublicKeys extends AutoCloseable {
    /**
     * Returns the keys with this id, or all keys if the id is null. Returns null while keys could not be fetched at all.
     */
    List<Key> of(String keyId);

    /**
     * Fetches the keys again, unless that was done a moment ago. Completes within the time limit of a fetch and never with a
     * failure: with true if {@link #of} has the current keys then, with false if they could not be fetched.
     */
    CompletableFuture<Boolean> refresh();

    @Override
    default void close() {}

    /** @param algorithm the only algorithm that the key may be used with; null when its kind decides */
    record Key(PublicKey key, JWSAlgorithm algorithm) {}

    /** Returns one key that is used for every key id. */
    static PublicKeys fixed(PublicKey key) {
        List<Key> keys = List.of(new Key(key, null));
        return new PublicKeys() {
            @Override
            public List<Key> of(String keyId) {
                return keys;
            }

            @Override
            public CompletableFuture<Boolean> refresh() {
                return CompletableFuture.completedFuture(true);
            }
        };
    }
}
