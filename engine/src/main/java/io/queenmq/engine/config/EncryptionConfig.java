package io.queenmq.engine.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of payload encryption.
 *
 * @param key encrypts and decrypts payloads; null if this server cannot encrypt
 * @param oldKeys former keys, which only decrypt
 */
public record EncryptionConfig(@Nullable Secret key, List<Secret> oldKeys) {}
