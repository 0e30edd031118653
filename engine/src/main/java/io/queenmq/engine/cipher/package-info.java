/**
 * Payloads at rest: encrypts and decrypts stored lines, and knows nobody who reads or writes them.
 */
package io.queenmq.engine.cipher;
