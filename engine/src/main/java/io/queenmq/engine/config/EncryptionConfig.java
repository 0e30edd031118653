package io.queenmq.engine.config;

import java.util.List;

/**
 * The keys of payloads at rest.
 *
 * @param key what is encrypted from now on; null when nothing can be
 * @param oldKeys what else can be decrypted
 */
public record EncryptionConfig(Secret key, List<Secret> oldKeys) {}
