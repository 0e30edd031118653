package io.queenmq.server.auth;

import com.nimbusds.jose.JWSAlgorithm;
import java.security.PublicKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The public keys that tokens may be signed with. Safe from any thread. */
interface PublicKeys extends AutoCloseable {
    /**
     * Returns the keys with this id, or all keys if the id is null. Returns null while keys could not be fetched at all.
     */
    @Nullable
    List<Key> of(@Nullable String keyId);

    /**
     * Fetches the keys again, unless they were fetched within the minimum interval. Completes within the time limit of a
     * fetch and never with a failure: with true if {@link #of} has the current keys then, with false if they could not be
     * fetched.
     */
    CompletableFuture<Boolean> refresh();

    @Override
    default void close() {}

    /** @param algorithm the only algorithm that the key may be used with; null if the kind of the key decides */
    record Key(PublicKey key, @Nullable JWSAlgorithm algorithm) {}

    /** Returns one key that is used for every key id. */
    static PublicKeys fixed(PublicKey key) {
        List<Key> keys = List.of(new Key(key, null));
        return new PublicKeys() {
            @Override
            public List<Key> of(@Nullable String keyId) {
                return keys;
            }

            @Override
            public CompletableFuture<Boolean> refresh() {
                return CompletableFuture.completedFuture(true);
            }
        };
    }
}
