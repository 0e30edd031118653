package io.queenmq.engine.cipher;

import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.config.Secret;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys of a server by their ids: the current one, which encrypts, and old ones, which only decrypt. Immutable. */
final class KeyRing<K> {
    static final int ID_DIGITS = 8;

    private final Entry<K> current;
    private final Map<String, Entry<K>> byId = new LinkedHashMap<>();

    /** A key and its id. */
    record Entry<K>(String id, K key) {}

    /** Makes the key that a cipher uses. */
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

    /** Enough of the key's digest to tell keys apart; it says nothing about the key. */
    private static String idOf(Secret secret) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(secret.bytes());
            return HexFormat.of().formatHex(digest).substring(0, ID_DIGITS);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** The key that encrypts; null when there is none. */
    Entry<K> current() {
        return current;
    }

    /** Null when this server does not have the key. */
    Entry<K> find(String id) {
        return byId.get(id);
    }

    /** All keys, the current one first. */
    List<Entry<K>> all() {
        return List.copyOf(byId.values());
    }
}
