/**
 * Failures of requests to Queen: a small set of unchecked exceptions. {@link
 * io.queenmq.client.error.OutcomeUnknownException} is a separate type, because its request may have taken effect.
 */
@NullMarked
package io.queenmq.client.error;

import org.jspecify.annotations.NullMarked;
