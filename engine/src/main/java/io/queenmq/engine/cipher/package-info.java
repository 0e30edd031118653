/**
 * Encrypts and decrypts stored messages, errors and traces.
 */
@NullMarked
package io.queenmq.engine.cipher;

import org.jspecify.annotations.NullMarked;
