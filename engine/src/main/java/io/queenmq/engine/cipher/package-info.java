/**
 * Encrypts and decrypts stored messages, errors and traces.
 */
package io.queenmq.engine.cipher;
