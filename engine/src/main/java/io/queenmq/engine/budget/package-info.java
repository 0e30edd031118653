/**
 * Bytes that are held against a bound. Knows nobody, and nothing of what the bytes are.
 */
package io.queenmq.engine.budget;
