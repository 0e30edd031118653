package io.queenmq.engine.cipher;

import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.config.Secret;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of a server by id: the current key, which encrypts, and old keys, which only decrypt. Immutable. */
final class KeyRing<K> {
    static final int ID_DIGITS = 8;

    private final @Nullable Entry<K> current;
    private final Map<String, Entry<K>> byId = new LinkedHashMap<>();

    /** A key and its id. */
    record Entry<K>(String id, K key) {}

    /** Derives the key of a cipher from a secret. */
    interface Derivation<K> {
        K from(Secret secret);
    }

    KeyRing(EncryptionConfig config, Derivation<K> derivation) {
        this.current = config.key() == null ? null : add(config.key(), derivation);
        config.oldKeys().forEach(secret -> add(secret, derivation));
    }

    private Entry<K> add(Secret secret, Derivation<K> derivation) {
        return byId.computeIfAbsent(idOf(secret), id -> new Entry<>(id, derivation.from(secret)));
    }

    /** Returns the first digits of the key's digest, which identify the key without revealing it. */
    private static String idOf(Secret secret) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(secret.bytes());
            return HexFormat.of().formatHex(digest).substring(0, ID_DIGITS);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK supports it
        }
    }

    /** Returns the key that encrypts, or null if there is none. */
    @Nullable
    Entry<K> current() {
        return current;
    }

    /** Returns the key with this id, or null if this server does not have it. */
    @Nullable
    Entry<K> find(String id) {
        return byId.get(id);
    }

    /** Returns all keys, the current one first. */
    List<Entry<K>> all() {
        return List.copyOf(byId.values());
    }
}
