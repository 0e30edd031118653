/**
 * What can go wrong when talking to Queen: one small family of unchecked exceptions. {@link
 * io.queenmq.client.error.OutcomeUnknownException} is its own type, because whoever catches it must not assume that
 * nothing happened.
 */
@NullMarked
package io.queenmq.client.error;

import org.jspecify.annotations.NullMarked;
